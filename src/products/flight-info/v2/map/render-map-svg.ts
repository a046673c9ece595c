import { geoGraticule10 } from 'd3-geo';
import type { Position } from '../../../../domain/master-data/distance.ts';
import type { FlightMap, MapAirport } from './flight-map.ts';
import { pointAhead, sampleTrack, type Track, trackMetres } from './great-circle.ts';
import { markup, type Markup } from './markup.ts';
import { type PlacedLabel, placeLabels, shorten } from './place-labels.ts';
import { type Frame, type MapView, type Point, projectMap } from './project-map.ts';
import { UNIT } from './svg-path.ts';
import { findShapesNear } from './world-atlas.ts';

/**
 * A page asks for itself again every minute, and several people look at one flight: its two maps are drawn once, in 35 to
 * 120 ms each, and kept while others have not taken their place; then a page takes 2 to 5 ms. An entry has up to 130 kB.
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

/** Sea, land and borders of a view: all of the map that is the same for as long as the flight goes where it goes. */
const getBaseMap = (view: MapView): Markup => {
  const known = cachedBaseMaps.get(view.name);
  const base = known ?? renderBaseMap(view);
  cachedBaseMaps.delete(view.name);
  cachedBaseMaps.set(view.name, base);
  const [oldest] = cachedBaseMaps.keys();
  if (cachedBaseMaps.size > MAX_CACHED && oldest !== undefined) cachedBaseMaps.delete(oldest);
  return base;
};

/** Samples taken of the longest track: one every few pixels. */
const SAMPLES = 150;
const METRES_A_DEGREE = 111_195;

type AirportKind = 'end' | 'stop' | 'diversion';
type MarkedAirport = { readonly place: MapAirport; readonly kind: AirportKind };

/** Every airport of the flight once, the ones it flies between first. */
const listAirports = ({ departure, arrival, diversion, stops }: FlightMap): readonly MarkedAirport[] => {
  const wanted: readonly MarkedAirport[] = [
    { place: departure, kind: 'end' },
    { place: arrival, kind: 'end' },
    ...(diversion?.airport
      ? [{ place: diversion.airport, kind: diversion.isStop ? 'stop' : 'diversion' } as const]
      : []),
    ...stops.map((place) => ({ place, kind: 'stop' }) as const),
  ];
  return wanted.filter(({ place }, index) => wanted.findIndex((other) => other.place.code === place.code) === index);
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
  // A diversion is told from the others by its shape as well as by its colour.
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
  const at = view.pointOf(position);
  const next = view.pointOf(pointAhead(position, position.bearing, 0.1));
  if (!at || !next) return undefined;
  // North is not up everywhere on the map, so the symbol turns by what the map shows.
  const turn = (Math.atan2(next.x - at.x, at.y - next.y) * 180) / Math.PI;
  const transform = `translate(${at.x.toFixed(1)} ${at.y.toFixed(1)}) rotate(${turn.toFixed(1)})`;
  return markup`<path class="aircraft" transform="${transform}" d="${aircraftPath}"/>`;
};

/** The drawing's text alternative. */
const describeMap = ({ title, departure, arrival, diversion, position, progress }: FlightMap): string => {
  const named = ({ code, city, name }: MapAirport): string => `${city ?? name} (${code})`;
  const where = position
    ? `, its position estimated at latitude ${position.latitude.toFixed(1)}, longitude ${position.longitude.toFixed(1)}`
    : '';
  const elsewhere = diversion?.airport && !diversion.isReturn ? `, by way of ${named(diversion.airport)}` : '';
  const much = progress ? `, ${progress.percent} % of the way` : '';
  return `Map of flight ${title} from ${named(departure)} to ${named(arrival)}${elsewhere}${where}${much}.`;
};

/** Draws the flight over the part of the world it needs, as an SVG of a frame's size; `name` is its class. */
export const renderMapSvg = (map: FlightMap, frame: Frame, name: string): Markup => {
  const { whole, flown, ahead, abandoned } = map.tracks;
  // The view depends on the whole tracks and not on the position, so that the map stands still while the aircraft moves.
  const tracks = [...whole, ...abandoned];
  const longest = Math.max(...tracks.map(trackMetres), 0) / METRES_A_DEGREE;
  const samples = tracks.flatMap((track) => sampleTrack(track, Math.max(longest / SAMPLES, 0.001)));
  const places = listAirports(map);
  const view = projectMap([map.departure, ...places.map(({ place }) => place), ...samples], longest, frame);
  const drawn = places.flatMap(({ place, kind }) => {
    const point = view.pointOf(place);
    return point ? [{ place, kind, point }] : [];
  });
  const symbol = map.position && view.pointOf(map.position);
  const obstacles = samples.flatMap((position) => view.pointOf(position) ?? []);
  const around = symbol
    ? [-16, -8, 0, 8, 16].flatMap((x) => [-16, -8, 0, 8, 16].map((y) => ({ x: symbol.x + x, y: symbol.y + y })))
    : [];
  const labels = placeLabels(
    drawn.map(({ point, place }) => ({ point, text: { code: place.code, name: shorten(place.city ?? place.name) } })),
    { frame, obstacles: [...obstacles, ...around] },
  );
  return markup`<svg class="${name}" viewBox="0 0 ${frame.width} ${frame.height}" role="img" aria-label="${describeMap(map)}">
${getBaseMap(view)}
${renderTracks(view, abandoned, 'track abandoned')}${renderTracks(view, flown, 'track casing')}${renderTracks(view, ahead, 'track ahead')}${renderTracks(view, flown, 'track flown')}
${drawn.map(({ point, kind }) => renderAirport(point, kind))}${map.position && renderAircraft(view, map.position)}
<g class="labels">${labels.map(renderLabel)}</g>
</svg>`;
};
