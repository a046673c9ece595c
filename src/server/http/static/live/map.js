// Maps of flights. d3-geo projects, and estimates positions on the great circle.

const { geoAzimuthalEqualArea, geoCentroid, geoDistance, geoInterpolate, geoNaturalEarth1, geoPath } = globalThis.d3;
const TAXI_OUT_MS = 15 * 60_000;
const TAXI_IN_MS = 8 * 60_000;
/** Radians of arc a millisecond at 780 km/h, for a flight whose arrival is not known. */
const ARC_A_MS = 780 / 6371 / 3_600_000;
/** Above this distance from the middle, radians, the map is one of the world. */
const MAX_REGION = 1;
const MARGIN = 28;

let land;
/** Reads the land areas once. */
const readLand = () =>
  (land ??= fetch('land.json').then(async (response) => {
    const atlas = await response.json();
    return globalThis.topojson.feature(atlas, atlas.objects.land);
  }));

const timeOf = (times, name) => times?.[name] && Date.parse(times[name].utc);

/**
 * Estimates where a flight in the air is: at constant speed on the great circle between its airports, from take-off to landing. `share` is the
 * part of the way.
 */
export const estimatePosition = ({ from, to, departure = {}, arrival = {}, departsAt, arrivesAt }, now) => {
  const off =
    timeOf(departure.actualTime, 'offGround') ??
    (timeOf(departure.actualTime, 'outGate') ?? timeOf(departure.estimatedTime, 'outGate') ?? departsAt) + TAXI_OUT_MS;
  const gate = timeOf(arrival.estimatedTime, 'inGate');
  const known = timeOf(arrival.estimatedTime, 'onGround') ?? (gate && gate - TAXI_IN_MS);
  const planned = arrivesAt ? arrivesAt - TAXI_IN_MS - departsAt - TAXI_OUT_MS : geoDistance(from, to) / ARC_A_MS;
  const on = known > off ? known : off + planned;
  const share = on > off ? Math.min(1, Math.max(0, (now - off) / (on - off))) : 1;
  const between = geoInterpolate(from, to);
  return { share, point: between(share), behind: between(share - 0.01) };
};

const createSvg = (tag, attributes, ...children) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

/** Selects the projection: the region of the points, or the world where they are far apart. */
const createProjection = (points, size) => {
  const shape = { type: 'MultiPoint', coordinates: points };
  const middle = points.length > 0 ? geoCentroid(shape) : [0, 0];
  const reach = Math.max(0, ...points.map((point) => geoDistance(middle, point)));
  if (points.length === 0 || reach > MAX_REGION)
    return geoNaturalEarth1().rotate([-middle[0], 0]).fitSize(size, { type: 'Sphere' });
  const [low, high] = [size.map(() => MARGIN), size.map((length) => length - MARGIN)];
  const projection = geoAzimuthalEqualArea().rotate([-middle[0], -middle[1]]).fitExtent([low, high], shape);
  // Two airports next to each other would fill the map.
  return projection.scale(Math.min(projection.scale(), size[1] * 12)).clipExtent([low.map((at) => -at), size]);
};

const drawAircraft = (projection, { title, position: { point, behind } }, scale) => {
  const [x, y] = projection(point) ?? [];
  if (x === undefined) return [];
  const start = projection(behind);
  const angle = start ? (Math.atan2(y - start[1], x - start[0]) * 180) / Math.PI : 0;
  const symbol = createSvg('path', {
    class: 'aircraft',
    d: 'M8 0 2 2-1 8-3 8-2 2-6 1-7 3-8 3-7 0-8-3-7-3-6-1-2-2-3-8-1-8 2-2Z',
    transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${angle.toFixed(0)}) scale(${scale})`,
  });
  symbol.append(createSvg('title', {}, title));
  return [symbol];
};

/**
 * Draws flights into an SVG element, each with `from` and `to` as [longitude, latitude], and `position` if it is in the air. With `labels`,
 * airports have their codes.
 */
export const drawMap = async (svg, flights, { labels = false } = {}) => {
  const shape = await readLand();
  const size = [svg.clientWidth || 800, svg.clientHeight || 400];
  const ends = flights.flatMap(({ from, to }) => [from, to]);
  // The middle of a long way can be far from the line between its ends on the map.
  const middles = flights.map(({ from, to }) => geoInterpolate(from, to)(0.5));
  const projection = createProjection([...ends, ...(flights.length < 200 ? middles : [])], size);
  const path = geoPath(projection).digits(1);
  const tracks = { type: 'MultiLineString', coordinates: flights.map(({ from, to }) => [from, to]) };
  const places = labels
    ? flights.flatMap(({ from, to, codes }) =>
        [from, to].flatMap((point, index) => {
          const [x, y] = projection(point);
          const isRight = x > size[0] / 2;
          const at = { x: x + (isRight ? -10 : 10), y: y - 8, 'text-anchor': isRight ? 'end' : 'start' };
          return [createSvg('circle', { class: 'airport', cx: x, cy: y, r: 5 }), createSvg('text', at, codes[index])];
        }),
      )
    : [];
  const scale = labels ? 1.4 : Math.min(1, size[0] / 900);
  svg.setAttribute('viewBox', `0 0 ${size.join(' ')}`);
  svg.replaceChildren(
    createSvg('path', { class: 'land', d: path(shape) ?? '' }),
    createSvg('path', { class: 'track', d: path(tracks) ?? '' }),
    ...places,
    ...flights.flatMap((flight) => (flight.position ? drawAircraft(projection, flight, scale) : [])),
  );
};
