import type { Position } from '../../../../domain/master-data/distance.ts';
import type { FlightMap, Place } from './flight-map.ts';
import { pointAhead, sampleTrack, trackMetres, type Track } from './great-circle.ts';
import { markup, type Markup } from './markup.ts';
import { placeLabels, shorten, type PlacedLabel } from './place-labels.ts';
import { projectMap, type Frame, type Point, type View } from './project-map.ts';
import { drawBase } from './draw-base.ts';

/** Samples taken of the longest track: one every few pixels. */
const SAMPLES = 150;
const METRES_A_DEGREE = 111_195;

type Kind = 'end' | 'stop' | 'diversion';
type Marked = { readonly place: Place; readonly kind: Kind };

/** Every airport of the flight once, the ones it flies between first. */
const markedPlaces = ({ departure, arrival, diversion, stops }: FlightMap): readonly Marked[] => {
  const wanted: readonly Marked[] = [
    { place: departure, kind: 'end' },
    { place: arrival, kind: 'end' },
    ...(diversion?.place ? [{ place: diversion.place, kind: diversion.isStop ? 'stop' : 'diversion' } as const] : []),
    ...stops.map((place) => ({ place, kind: 'stop' }) as const),
  ];
  return wanted.filter(({ place }, index) => wanted.findIndex((other) => other.place.code === place.code) === index);
};

const lineOf = (track: Track) => ({
  type: 'LineString' as const,
  coordinates: track.map(({ longitude, latitude }) => [longitude, latitude]),
});

const drawTracks = (view: View, tracks: readonly Track[], name: string): readonly Markup[] =>
  tracks.flatMap((track) => {
    const path = view.path(lineOf(track));
    return path ? [markup`<path class="${name}" d="${path}"/>`] : [];
  });

const drawPlace = ({ x, y }: Point, kind: Kind): Markup => {
  const at = `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
  // A diversion is told from the others by its shape as well as by its colour.
  return kind === 'diversion'
    ? markup`<path class="place diversion" transform="${at}" d="M0-8L8 0L0 8L-8 0Z"/>`
    : markup`<circle class="place ${kind}" transform="${at}" r="5.5"/>`;
};

const drawLabel = ({ code, name, anchor, x, y }: PlacedLabel): Markup =>
  markup`<text text-anchor="${anchor}" x="${x.toFixed(1)}" y="${y.toFixed(1)}"><tspan class="code">${code}</tspan>${
    name === '' ? undefined : markup`<tspan class="name" x="${x.toFixed(1)}" dy="16">${name}</tspan>`
  }</text>`;

/** Nose up, 30 pixels long. */
const aircraft =
  'M0-15c1.5 0 2.4 2.2 2.4 4.6v5.3l12 7.4v3l-12-3.7v6.6l3.6 2.8v2.3L0 11.7l-6 1.6V11l3.6-2.8V1.6l-12 3.7v-3l12-7.4v-5.3C-2.4-12.8-1.5-15 0-15Z';

const drawAircraft = (view: View, position: Position & { readonly bearing: number }): Markup | undefined => {
  const at = view.pointOf(position);
  const next = view.pointOf(pointAhead(position, position.bearing, 0.1));
  if (!at || !next) return undefined;
  // North is not up everywhere on the map, so the symbol turns by what the map shows.
  const turn = (Math.atan2(next.x - at.x, at.y - next.y) * 180) / Math.PI;
  const transform = `translate(${at.x.toFixed(1)} ${at.y.toFixed(1)}) rotate(${turn.toFixed(1)})`;
  return markup`<path class="aircraft" transform="${transform}" d="${aircraft}"/>`;
};

/** The drawing's text alternative. */
const describe = ({ title, departure, arrival, diversion, position, progress }: FlightMap): string => {
  const named = ({ code, city, name }: Place): string => `${city ?? name} (${code})`;
  const where = position
    ? `, its position estimated at latitude ${position.latitude.toFixed(1)}, longitude ${position.longitude.toFixed(1)}`
    : '';
  const elsewhere = diversion?.place && !diversion.isReturn ? `, by way of ${named(diversion.place)}` : '';
  const much = progress ? `, ${progress.percent} % of the way` : '';
  return `Map of flight ${title} from ${named(departure)} to ${named(arrival)}${elsewhere}${where}${much}.`;
};

/** Draws the flight over the part of the world it needs, as an SVG of a frame's size; `name` is its class. */
export const drawChart = (map: FlightMap, frame: Frame, name: string): Markup => {
  const { whole, flown, ahead, abandoned } = map.tracks;
  // The view depends on the whole tracks and not on the position, so that the map stands still while the aircraft moves.
  const tracks = [...whole, ...abandoned];
  const longest = Math.max(...tracks.map(trackMetres), 0) / METRES_A_DEGREE;
  const samples = tracks.flatMap((track) => sampleTrack(track, Math.max(longest / SAMPLES, 0.001)));
  const places = markedPlaces(map);
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
  return markup`<svg class="${name}" viewBox="0 0 ${frame.width} ${frame.height}" role="img" aria-label="${describe(map)}">
${drawBase(view)}
${drawTracks(view, abandoned, 'track abandoned')}${drawTracks(view, flown, 'track casing')}${drawTracks(view, ahead, 'track ahead')}${drawTracks(view, flown, 'track flown')}
${drawn.map(({ point, kind }) => drawPlace(point, kind))}${map.position && drawAircraft(view, map.position)}
<g class="labels">${labels.map(drawLabel)}</g>
</svg>`;
};
