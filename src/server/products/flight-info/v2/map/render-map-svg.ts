import { geoGraticule10 } from 'd3-geo';
import type { Position } from '#domain/master-data/distance.ts';
import { formatAirport, type FlightMap, type MapAirport } from './flight-map.ts';
import { pointAhead, sampleTrack, type Track, trackMetres } from './great-circle.ts';
import { markup, type Markup } from './markup.ts';
import { type PlacedLabel, placeLabels, shorten } from './place-labels.ts';
import { type Frame, type MapView, type Point, projectMap } from './project-map.ts';
import { UNIT } from './svg-path.ts';
import { findShapesNear } from './world-atlas.ts';

/**
 * Entries of the base map cache, up to 130 kB each. A page reloads every minute and several people view one flight: its two
 * base maps take 35 to 120 ms each, the rest of a page 2 to 5 ms.
 */
const MAX_CACHED = 64;
const cachedBaseMaps = new Map<string, Markup>();

const renderBaseMap = (view: MapView): Markup => {
  const { land, borders } = findShapesNear(view.part);
  return markup`<path class="sea" d="${view.path({ type: 'Sphere' }) ?? ''}"/>
<path class="graticule" d="${view.path(geoGraticule10()) ?? ''}"/>
<g transform="scale(${UNIT})"><path class="land" d="${view.compact(land)}"/>
<path class="borders" d="${view.compact(borders)}"/></g>`;
};

/** Returns sea, land and borders of a view, cached (LRU): they are the same as long as the route does not change. */
const getBaseMap = (view: MapView): Markup => {
  const cached = cachedBaseMaps.get(view.name);
  const base = cached ?? renderBaseMap(view);
  cachedBaseMaps.delete(view.name);
  cachedBaseMaps.set(view.name, base);
  const [oldest] = cachedBaseMaps.keys();
  if (cachedBaseMaps.size > MAX_CACHED && oldest !== undefined) cachedBaseMaps.delete(oldest);
  return base;
};

/** Samples of the longest track: one every few pixels. */
const SAMPLES = 150;
const METRES_A_DEGREE = 111_195;

type AirportKind = 'end' | 'stop' | 'diversion';
type MarkedAirport = { readonly airport: MapAirport; readonly kind: AirportKind };

/** Lists every airport of the flight once, departure and arrival first. */
const listAirports = ({ departure, arrival, diversion, stops }: FlightMap): readonly MarkedAirport[] => {
  const airports: readonly MarkedAirport[] = [
    { airport: departure, kind: 'end' },
    { airport: arrival, kind: 'end' },
    ...(diversion?.airport
      ? [{ airport: diversion.airport, kind: diversion.isStop ? 'stop' : 'diversion' } as const]
      : []),
    ...stops.map((airport) => ({ airport, kind: 'stop' }) as const),
  ];
  return airports.filter(
    ({ airport }, index) => airports.findIndex((other) => other.airport.code === airport.code) === index,
  );
};

const toLine = (track: Track) => ({
  type: 'LineString' as const,
  coordinates: track.map(({ longitude, latitude }) => [longitude, latitude]),
});

const renderTracks = (view: MapView, tracks: readonly Track[], name: string): readonly Markup[] =>
  tracks.flatMap((track) => {
    const path = view.path(toLine(track));
    return path ? [markup`<path class="${name}" d="${path}"/>`] : [];
  });

const renderAirport = ({ x, y }: Point, kind: AirportKind): Markup => {
  const at = `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
  // A diversion differs in shape as well as in colour.
  return kind === 'diversion'
    ? markup`<path class="place diversion" transform="${at}" d="M0-8L8 0L0 8L-8 0Z"/>`
    : markup`<circle class="place ${kind}" transform="${at}" r="5.5"/>`;
};

const renderLabel = ({ code, name, anchor, x, y }: PlacedLabel): Markup =>
  markup`<text text-anchor="${anchor}" x="${x.toFixed(1)}" y="${y.toFixed(1)}"><tspan class="code">${code}</tspan>${
    name === '' ? undefined : markup`<tspan class="name" x="${x.toFixed(1)}" dy="16">${name}</tspan>`
  }</text>`;

/** Nose up, 30 pixels long. */
const aircraftPath =
  'M0-15c1.5 0 2.4 2.2 2.4 4.6v5.3l12 7.4v3l-12-3.7v6.6l3.6 2.8v2.3L0 11.7l-6 1.6V11l3.6-2.8V1.6l-12 3.7v-3l12-7.4v-5.3C-2.4-12.8-1.5-15 0-15Z';

const renderAircraft = (view: MapView, position: Position & { readonly bearing: number }): Markup | undefined => {
  const at = view.project(position);
  const next = view.project(pointAhead(position, position.bearing, 0.1));
  if (!at || !next) return undefined;
  // North is not up everywhere on the map: the rotation is computed from projected points.
  const turn = (Math.atan2(next.x - at.x, at.y - next.y) * 180) / Math.PI;
  const transform = `translate(${at.x.toFixed(1)} ${at.y.toFixed(1)}) rotate(${turn.toFixed(1)})`;
  return markup`<path class="aircraft" transform="${transform}" d="${aircraftPath}"/>`;
};

/** Returns the text alternative of the drawing. */
const describeMap = ({ title, departure, arrival, diversion, position, progress }: FlightMap): string => {
  const where = position
    ? `, its position estimated at latitude ${position.latitude.toFixed(1)}, longitude ${position.longitude.toFixed(1)}`
    : '';
  const elsewhere = diversion?.airport && !diversion.isReturn ? `, by way of ${formatAirport(diversion.airport)}` : '';
  const progressText = progress ? `, ${progress.percent} % of the way` : '';
  return `Map of flight ${title} from ${formatAirport(departure)} to ${formatAirport(arrival)}${elsewhere}${where}${progressText}.`;
};

/** Renders the flight on a map of its surroundings as an SVG of a frame's size; `name` is its CSS class. */
export const renderMapSvg = (map: FlightMap, frame: Frame, name: string): Markup => {
  const { whole, flown, ahead, abandoned } = map.tracks;
  // The view depends on the whole tracks and not on the position, so that it does not move with the aircraft.
  const tracks = [...whole, ...abandoned];
  const longest = Math.max(...tracks.map(trackMetres), 0) / METRES_A_DEGREE;
  const samples = tracks.flatMap((track) => sampleTrack(track, Math.max(longest / SAMPLES, 0.001)));
  const airports = listAirports(map);
  const view = projectMap([map.departure, ...airports.map(({ airport }) => airport), ...samples], longest, frame);
  const visible = airports.flatMap(({ airport, kind }) => {
    const point = view.project(airport);
    return point ? [{ airport, kind, point }] : [];
  });
  const symbol = map.position && view.project(map.position);
  const obstacles = samples.flatMap((position) => view.project(position) ?? []);
  const around = symbol
    ? [-16, -8, 0, 8, 16].flatMap((x) => [-16, -8, 0, 8, 16].map((y) => ({ x: symbol.x + x, y: symbol.y + y })))
    : [];
  const labels = placeLabels(
    visible.map(({ point, airport }) => ({
      point,
      text: { code: airport.code, name: shorten(airport.city ?? airport.name) },
    })),
    { frame, obstacles: [...obstacles, ...around] },
  );
  return markup`<svg class="${name}" viewBox="0 0 ${frame.width} ${frame.height}" role="img" aria-label="${describeMap(map)}">
${getBaseMap(view)}
${renderTracks(view, abandoned, 'track abandoned')}${renderTracks(view, flown, 'track casing')}${renderTracks(view, ahead, 'track ahead')}${renderTracks(view, flown, 'track flown')}
${visible.map(({ point, kind }) => renderAirport(point, kind))}${map.position && renderAircraft(view, map.position)}
<g class="labels">${labels.map(renderLabel)}</g>
</svg>`;
};
