import { renderMapSvg } from './render-map-svg.ts';
import { formatAirport, type DiversionNotice, type FlightMap, type MapAirport } from './flight-map.ts';
import type { EndSummary, LocalTime, TimeGroup } from './local-times.ts';
import { renderPage } from './render-page.ts';
import { markup, type Markup } from './markup.ts';
import type { Frame } from './project-map.ts';

/** For narrow windows, with the map above the facts, and for wide ones, with the map beside them. */
const tall: Frame = { width: 390, height: 440, bleedX: 180, bleedY: 110, margin: 58 };
const wide: Frame = { width: 900, height: 800, bleedX: 420, bleedY: 160, margin: 100 };

const stateTexts: Readonly<Record<FlightMap['state'], string>> = {
  Scheduled: 'Scheduled',
  OutGate: 'Left the gate',
  inAir: 'In the air',
  Landed: 'Landed',
  InGate: 'Arrived at the gate',
  Canceled: 'Canceled',
  Proposed: 'Proposed',
};

const renderDayShift = ({ dayShift }: LocalTime): Markup | undefined => {
  if (dayShift === 0) return undefined;
  const days = Math.abs(dayShift);
  const title = `${days} ${days === 1 ? 'day' : 'days'} ${dayShift > 0 ? 'later' : 'earlier'}`;
  return markup`<sup title="${title}">${dayShift > 0 ? '+' : '−'}${days}</sup>`;
};

const renderTime = (time: LocalTime | undefined): Markup =>
  time ? markup`<time datetime="${time.iso}">${time.text}</time>${renderDayShift(time)}` : markup`–`;

const renderEnd = (role: string, place: MapAirport, { time, kind, punctuality }: EndSummary): Markup =>
  markup`<section class="end" aria-label="${role}"><p class="at"><b>${place.code}</b> ${place.city ?? place.name}</p>
<p class="time">${renderTime(time)}</p>
<p class="kind">${time ? `${time.zone} · ${kind}` : 'not known'}${
    punctuality === ''
      ? undefined
      : markup`<br>${markup`<span class="${punctuality.endsWith('late') ? 'late' : 'good'}">${punctuality}</span>`}`
  }</p></section>`;

const formatKilometres = (value: number): string => `${String(value).replaceAll(/\B(?=(\d{3})+$)/g, '\u202F')} km`;

const renderProgress = ({ progress }: FlightMap): Markup | undefined =>
  progress &&
  markup`<div class="progress"><svg viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label="${progress.percent} % of the way flown"><rect class="all" width="100" height="6"/><rect class="done" width="${progress.percent}" height="6"/></svg>
<p><span>${formatKilometres(progress.flownKm)} flown</span><span>${formatKilometres(progress.toGoKm)} to go</span></p></div>`;

const describeDiversion = ({ airport, isStop, isReturn }: DiversionNotice, state: FlightMap['state']): string => {
  const isDown = state !== 'inAir';
  if (!airport) return 'Diverted. The airport is unknown.';
  if (isReturn) return `${isDown ? 'Returned' : 'Returning'} to ${formatAirport(airport)}`;
  if (isStop) return `${isDown ? 'Stopped' : 'Stopping'} at ${formatAirport(airport)} on the way`;
  return `Diverted to ${formatAirport(airport)}`;
};

const renderDiversion = ({ diversion, state }: FlightMap): Markup | undefined => {
  if (!diversion) return undefined;
  const { time, kind } = diversion.summary ?? {};
  return markup`<p class="note warn" role="status">${describeDiversion(diversion, state)}${
    time ? markup` · ${kind} ${renderTime(time)} ${time.zone}` : undefined
  }</p>`;
};

const renderTimeGroup = ({ role, code, name, zone, rows }: TimeGroup): Markup =>
  markup`<tbody><tr><th scope="rowgroup" colspan="4">${role} · ${code} ${name} <span class="zone">${zone}</span></th></tr>
${rows.map(
  ({ label, scheduled, estimated, actual }) =>
    markup`<tr><th scope="row">${label}</th><td>${renderTime(scheduled)}</td><td>${renderTime(estimated)}</td><td class="actual">${renderTime(actual)}</td></tr>`,
)}</tbody>`;

const renderTimeTable = (groups: readonly TimeGroup[]): Markup =>
  markup`<table><caption>Local times</caption>
<thead><tr><th scope="col">Step</th><th scope="col">Scheduled</th><th scope="col">Estimated</th><th scope="col">Actual</th></tr></thead>
${groups.map(renderTimeGroup)}</table>`;

const positionCaveat = ({ state, position }: FlightMap): string | undefined => {
  if (state !== 'inAir') return undefined;
  return position
    ? 'The position is estimated from the times of the flight, not observed.'
    : 'The known times are not sufficient to estimate the position.';
};

/** Renders the page of one flight: self-contained HTML with the map as SVG, without scripts. */
export const renderFlightPage = (map: FlightMap): string => {
  const { title, date, state, departure, arrival, diversion } = map;
  const route = `${departure.city ?? departure.name} to ${arrival.city ?? arrival.name}`;
  const caveat = positionCaveat(map);
  const content = markup`<header><h1>${title}</h1><span class="badge">${stateTexts[state]}</span>${
    diversion && !diversion.isStop ? markup`<span class="badge warn">Diverted</span>` : undefined
  }<p>${route} · ${date}</p></header>
<main><figure class="map">${renderMapSvg(map, tall, 'tall')}${renderMapSvg(map, wide, 'wide')}</figure>
<div class="ends">${renderEnd('Departure', departure, map.departureSummary)}${renderEnd('Arrival', arrival, map.arrivalSummary)}${renderProgress(map)}</div>
<div class="notes">${renderDiversion(map)}${caveat === undefined ? undefined : markup`<p class="note">${caveat}</p>`}</div>
<section class="facts" aria-label="Times">${renderTimeTable(map.times)}
<p>Last message <time datetime="${map.updatedAt}">${map.updatedAt.slice(0, 16).replace('T', ' ')} UTC</time></p></section></main>`;
  const isInAir = state === 'inAir';
  return renderPage({ title: `${title}, ${route}`, bodyClass: 'flight', refresh: isInAir }, content);
};
