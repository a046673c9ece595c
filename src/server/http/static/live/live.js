// The live page: views by the fragment of the address, refreshed by conditional requests.
import { attributions, findLocation, get, listFlights, now, readLocations, storeKey } from './api.js';
import { codeOf, create, describeState, formatCodeshares, formatName, formatScheduled, formatTime } from './flights.js';
import { formatUtc, lateMinutes, latestTime, linkOf, listFacts, scheduledTime, statusOf, toLocal } from './flights.js';
import { drawMap, estimatePosition } from './map.js';

const REFRESH_MS = 5000;
const HIDDEN_MS = 60_000;
const HOUR_MS = 3_600_000;
const QUARTER_MS = HOUR_MS / 4;
/** The page warns when the newest report of its flights is older. */
const OLD_REPORT_MS = 2 * HOUR_MS;
const MAX_AWAY = 5000;
/** States of flights that can be in the air: public feeds report no take-off. */
const AWAY = ['OutGate', 'inAir'];
const MAP_REFRESH_MS = 30_000;
const ESTIMATED =
  'Positions are estimated on the great circle between the airports, from the reported times. They are no radar positions.';

const find = (id) => document.getElementById(id);
const main = find('main');
let hours = 6;
let airport = sessionStorage.getItem('flightdata.airport') ?? '';

const setText = (element, value) => {
  if (element.textContent !== value) element.textContent = value;
};
const listDays = (...days) => days.map((day) => toLocal(now() + day * 24 * HOUR_MS).slice(0, 10)).join('/');
const cityOf = (code) => findLocation(code)?.city || code;
const listEnds = (flight) => [flight.departure, flight.arrival, statusOf(flight)?.arrival];
const listCodes = (flights) => flights.flatMap(listEnds).map((end) => codeOf(end?.airport));

const createTable = (className, caption, heads) => {
  const rows = create('tbody');
  const head = create('tr', {}, ...heads.map((text) => create('th', { scope: 'col' }, text)));
  return { table: create('table', { class: className, 'aria-label': caption }, create('thead', {}, head), rows), rows };
};
const createCell = (name, ...children) => create('td', { class: name }, ...children);
const createHead = (flight, ...more) =>
  create('th', { scope: 'row' }, create('a', { href: linkOf(flight) }, formatName(flight)), ...more);
const createPlace = (airport, before = '') => {
  const code = codeOf(airport);
  return createCell('place', `${before}${cityOf(code)} `, create('small', {}, code));
};

/** Replaces rows, and keeps the focus on the link that had it. */
const replaceRows = (rows, elements) => {
  const href = rows.contains(document.activeElement) && document.activeElement.getAttribute('href');
  rows.replaceChildren(...elements);
  if (href) rows.querySelector(`a[href="${href}"]`)?.focus();
};

/** Shows the newest report and the attributions of public feeds; returns a warning when that report is old. */
const describeReports = async (flights) => {
  const statuses = flights.flatMap(({ statusDetails = [] }) => statusDetails);
  const feeds = statuses.flatMap(({ sources = [] }) => sources);
  const times = statuses.map(({ updatedAt }) => updatedAt.slice(0, 19)).toSorted();
  const newest = times.at(-1);
  setText(find('reported'), newest ? `Newest report: ${formatUtc(newest)}.` : '');
  const used = (await attributions).filter(({ name }) => feeds.some((feed) => feed.name === name));
  const links = used.flatMap((one) => [create('a', { href: one.link }, one.attribution), ` (${one.licence}). `]);
  const [element, names] = [find('sources'), used.map(({ name }) => name).join()];
  if (element.dataset.names !== names) element.replaceChildren(...links);
  element.dataset.names = names;
  const isOld = newest && now() - Date.parse(`${newest}Z`) > OLD_REPORT_MS;
  return isOld ? `The newest report on these flights is from ${formatUtc(newest)}.` : '';
};

const createRow = (flight, end, today) => {
  const [status, late] = [statusOf(flight)?.[end], lateMinutes(flight, end)];
  const { text, kind = '' } = describeState(flight, end);
  return create(
    'tr',
    {},
    createCell('time', formatScheduled(flight, end, today)),
    createCell(
      `time ${late > 0 ? 'late' : 'good'}`,
      late === 0 ? '' : formatTime(latestTime(flight, end).local, today),
    ),
    createHead(flight, ' ', create('small', {}, formatCodeshares(flight))),
    createPlace(flight[end === 'departure' ? 'arrival' : 'departure'].airport),
    createCell('terminal', status?.actualTerminal ?? flight[end].terminal ?? ''),
    createCell(kind, text),
    createCell('gate', (end === 'departure' ? status?.gate : status?.baggage) ?? ''),
  );
};

/** Selects the airport with the most flights of the next hours. */
const findBusiest = async () => {
  const hour = Math.floor(now() / HOUR_MS) * HOUR_MS;
  const span = [hour, hour + 12 * HOUR_MS].map((at) => toLocal(at)).join('/');
  const { flights } = await listFlights({ DepartureDateTime: span, Codeshare: 'Operating', LegsOnly: 'true' });
  const groups = Map.groupBy(flights, ({ departure }) => departure.airport.iata ?? '');
  groups.delete('');
  return [...groups].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? 'LHR';
};

const openBoard = (end) => (code) => {
  const [name, place, gate] = end === 'departure' ? ['Departure', 'To', 'Gate'] : ['Arrival', 'From', 'Belt'];
  const [title, note] = [create('h1'), create('p', { class: 'note' })];
  const span = create('select', { 'aria-label': 'Hours to show' });
  span.append(...[3, 6, 12, 24].map((value) => new Option(`Next ${value} hours`, value, false, value === hours)));
  span.addEventListener('change', () => {
    hours = Number(span.value);
    void refresh();
  });
  const heads = ['Scheduled', 'Latest', 'Flight', place, 'Terminal', 'Status', gate];
  const { table, rows } = createTable('board', `${name}s`, heads);
  main.replaceChildren(title, span, note, table);
  let shown;
  return async () => {
    airport = code?.toUpperCase() || airport || (await findBusiest());
    sessionStorage.setItem('flightdata.airport', airport);
    find('airport').value = airport;
    for (const view of ['departures', 'arrivals']) find(`${view}-link`).href = `#/${view}/${airport}`;
    await readLocations([airport]);
    const { zone, name: airportName = '' } = findLocation(airport) ?? {};
    // The same for a quarter of an hour, so that the entity tag can match.
    const from = Math.floor(now() / QUARTER_MS - 1) * QUARTER_MS;
    const listed = await listFlights({
      [`Latest${name}DateTime`]: [from, from + hours * HOUR_MS + QUARTER_MS].map((at) => toLocal(at, zone)).join('/'),
      [`${name}Airport`]: airport,
      CodeType: airport.length === 4 ? 'ICAO' : 'IATA',
      Codeshare: 'Operating',
    });
    const { flights, total, asOf } = listed;
    await readLocations(listCodes(flights));
    const local = toLocal(now(), zone);
    document.title = `${name}s ${airport}`;
    setText(title, [`${name}s`, airportName, `(${airport})`].filter(Boolean).join(' '));
    const clock = zone ? `It is ${local.slice(11)} there.` : 'The time zone is not known: the hours are in UTC.';
    setText(note, `${flights.length < total ? `${flights.length} of ` : ''}${total} flights. ${clock}`);
    const today = local.slice(0, 10);
    const toRow = (flight) => createRow(flight, end, today);
    if (shown?.listed !== listed || shown.today !== today) replaceRows(rows, flights.map(toRow));
    shown = { listed, today };
    return { flights, asOf };
  };
};

/** Parses a flight number: a code of two characters, or of three letters, a number and a suffix. */
const parseFlight = (input) => {
  const [, code, number, suffix] =
    /^((?=.?[A-Z])[A-Z0-9]{2}|[A-Z]{3})(\d{1,4})([A-Z]?)$/.exec(input.toUpperCase().replaceAll(/[\s-]/g, '')) ?? [];
  return code && { code, number, suffix };
};

/** Creates a table of flights; `describe` returns the text of its last column. */
const createList = (caption, describe) => {
  const { table, rows } = createTable('list', caption, ['Flight', 'Date', 'From', 'To', 'Status']);
  const createTimed = (flight, end) => createPlace(flight[end].airport, `${latestTime(flight, end).local.slice(11)} `);
  const toRow = (flight) => {
    const ends = ['departure', 'arrival'].map((end) => createTimed(flight, end));
    const date = createCell('date', flight.departure.date.local.slice(5));
    return create('tr', {}, createHead(flight), date, ...ends, createCell('status', describe(flight)));
  };
  return { table, show: (flights) => replaceRows(rows, flights.map(toRow)) };
};

const openSearch = (input = '') => {
  const wanted = parseFlight(input);
  const note = create('p', { class: 'note' }, 'A flight number is a carrier and a number, such as BA 117.');
  const list = createList('Flights', (flight) => describeState(flight, 'departure').text);
  document.title = `Flight ${input}`;
  main.replaceChildren(create('h1', {}, document.title), note, list.table);
  return async () => {
    if (!wanted) return {};
    const listed = await listFlights({
      DepartureDateTime: listDays(-1, 2),
      CarrierCode: wanted.code,
      CodeType: wanted.code.length === 3 ? 'ICAO' : 'IATA',
      FlightNumber: wanted.number,
      LegsOnly: 'true',
    });
    const flights = listed.flights.filter(
      ({ serviceSuffix = '' }) => !wanted.suffix || serviceSuffix === wanted.suffix,
    );
    await readLocations(listCodes(flights));
    setText(note, `${flights.length} flights from yesterday to the day after tomorrow.`);
    list.show(flights);
    return { flights, asOf: listed.asOf };
  };
};

/** Returns what a map shows of a flight; undefined without the positions of its airports. */
const toMapFlight = (flight) => {
  const { state, departure, arrival } = statusOf(flight) ?? {};
  const codes = [codeOf(flight.departure.airport), codeOf(arrival?.airport ?? flight.arrival.airport)];
  const [from, to] = codes.map((code) => findLocation(code)?.point);
  if (!from || !to) return undefined;
  const shape = { from, to, codes, title: `${formatName(flight)} ${codes.join('–')}` };
  if (!AWAY.includes(state)) return shape;
  const departsAt = scheduledTime(flight, 'departure').utc;
  const arrivesAt = codes[1] === codeOf(flight.arrival.airport) ? scheduledTime(flight, 'arrival').utc : undefined;
  const position = estimatePosition({ from, to, departure, arrival, departsAt, arrivesAt }, now());
  const isAway = state === 'inAir' || (position.share > 0 && position.share < 1);
  return isAway ? { ...shape, position } : shape;
};
const formatShare = (shape) => (shape?.position ? `${Math.round(shape.position.share * 100)} % flown` : '');

const createMap = (label) => {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  for (const [name, value] of Object.entries({ class: 'map', role: 'img', 'aria-label': label }))
    svg.setAttribute(name, value);
  return { svg, figure: create('figure', {}, svg, create('figcaption', { class: 'note' }, ESTIMATED)) };
};

const openMap = () => {
  const { svg, figure } = createMap('Map of the flights in the air; the table below has the same flights');
  const note = create('p', { class: 'note' });
  const list = createList('Flights in the air', (flight) => formatShare(toMapFlight(flight)));
  document.title = 'Flights in the air';
  main.replaceChildren(create('h1', {}, document.title), note, figure, list.table);
  return async () => {
    const query = { DepartureDateTime: listDays(-1, 1), State: AWAY.join(), Codeshare: 'Operating' };
    const { flights: away, total, asOf } = await listFlights(query, MAX_AWAY);
    await readLocations(listCodes(away));
    const flights = away.filter((flight) => statusOf(flight).state === 'inAir' || toMapFlight(flight)?.position);
    const drawn = flights.flatMap((flight) => toMapFlight(flight) ?? []);
    setText(note, `${flights.length} flights, ${drawn.length} on the map (from ${away.length} of ${total} reports).`);
    await drawMap(svg, drawn);
    list.show(flights);
    return { flights, asOf, refreshMs: MAP_REFRESH_MS };
  };
};

/** Lists the changes of a history, newest first; each item of it is a whole status. */
const createTimeline = (history) =>
  history.map((status, index) => {
    const [facts, before] = [status, history[index + 1] ?? {}].map((one) => listFacts(one));
    const changes = [...new Set([...facts.keys(), ...before.keys()])]
      .filter((name) => facts.get(name) !== before.get(name))
      .map((name) => `${name}: ${facts.get(name) ?? 'withdrawn'}`);
    const at = create('time', { datetime: `${status.updatedAt}Z`, class: 'note' }, formatUtc(status.updatedAt));
    return create('li', {}, at, ` ${changes.join(' · ') || 'Confirmed'}`);
  });

const createEnd = (flight, end) => {
  const { kind, local } = latestTime(flight, end);
  const status = statusOf(flight)?.[end];
  const date = flight.departure.date.local;
  const head = `${end === 'departure' ? 'Departure' : 'Arrival'} ${codeOf(flight[end].airport)}`;
  return create(
    'tr',
    {},
    create('th', { scope: 'row' }, head),
    createCell('time', formatScheduled(flight, end, date)),
    createCell('time', kind === 'scheduled' ? '' : `${formatTime(local, date)} ${kind}`),
    createCell('gate', [status?.actualTerminal ?? flight[end].terminal, status?.gate].filter(Boolean).join(' · ')),
  );
};

const openFlight = (date, key) => {
  const [title, state, position, timeline] = ['h1', 'p', 'p', 'ol'].map((tag) => create(tag));
  const { svg, figure } = createMap('Map of the flight; the text below has its position');
  const { table, rows } = createTable('ends', 'Times', ['Airport', 'Scheduled', 'Latest', 'Terminal · gate']);
  const heading = create('h2', {}, 'Reports, newest first');
  main.replaceChildren(title, state, table, figure, position, heading, timeline);
  let shown;
  return async () => {
    const { body: flight, asOf } = await get(`flight-instances/${date}/${key}`, {
      version: 'v2',
      Content: 'StatusHistory',
    });
    await readLocations(listCodes([flight]));
    const shape = toMapFlight(flight);
    figure.hidden = !shape;
    if (shape) await drawMap(svg, [shape], { labels: true });
    const side = (value, [above, below]) => `${Math.abs(value).toFixed(1)}° ${value < 0 ? below : above}`;
    const [longitude = 0, latitude = 0] = shape?.position?.point ?? [];
    const point = `${side(latitude, 'NS')}, ${side(longitude, 'EW')}, ${formatShare(shape)}`;
    setText(position, shape?.position ? `Estimated position: ${point}.` : '');
    if (shown === flight) return { flights: [flight], asOf };
    shown = flight;
    const [from, to] = listCodes([flight]).map(cityOf);
    const isAway = ['inAir', 'Landed', 'InGate'].includes(statusOf(flight)?.state);
    const { text, kind = '' } = describeState(flight, isAway ? 'arrival' : 'departure');
    const codeshares = formatCodeshares(flight);
    document.title = `${formatName(flight)} ${date}`;
    setText(title, `${formatName(flight)}, ${from} to ${to}`);
    state.replaceChildren(
      create('strong', { class: kind }, text),
      ` · ${date}${codeshares && ` · also ${codeshares}`}`,
    );
    rows.replaceChildren(createEnd(flight, 'departure'), createEnd(flight, 'arrival'));
    timeline.replaceChildren(...createTimeline(flight.statusDetails ?? []));
    return { flights: [flight], asOf };
  };
};

const routes = { map: openMap, flight: openFlight, search: openSearch };
Object.assign(routes, { departures: openBoard('departure'), arrivals: openBoard('arrival') });
let load;
let timer;
let turn = 0;
/** When the view was last refreshed; undefined before. */
let refreshedAt;

/** Describes a failed refresh; the last flights stay on the page. */
const describeFailure = (error) => {
  if (error.status === 401 && !find('key-dialog').open) find('key-dialog').showModal();
  const reason = error.status ? error.message : 'The service cannot be reached.';
  return refreshedAt ? `${reason} The page is as of ${formatUtc(toLocal(refreshedAt))}.` : reason;
};

const refresh = async () => {
  clearTimeout(timer);
  const mine = ++turn;
  let wait = document.hidden ? HIDDEN_MS : REFRESH_MS;
  try {
    const { flights = [], asOf, refreshMs = 0 } = await load();
    if (mine !== turn) return;
    refreshedAt = now();
    wait = Math.max(wait, refreshMs);
    const warning = await describeReports(flights);
    setText(find('notice'), asOf ? `The service cannot reach its database. The data are as of ${asOf}.` : warning);
  } catch (error) {
    if (mine !== turn) return;
    setText(find('notice'), describeFailure(error));
    wait = Math.max(wait, error.retryAfterMs ?? 0);
  }
  timer = setTimeout(() => void refresh(), wait);
};

const open = () => {
  const [name, ...parts] = location.hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
  const route = Object.hasOwn(routes, name) ? name : 'departures';
  for (const link of document.querySelectorAll('nav a'))
    link.toggleAttribute('aria-current', link.getAttribute('href').startsWith(`#/${route}`));
  refreshedAt = undefined;
  load = routes[route](...parts);
  void refresh();
};

find('airport-form').addEventListener('submit', (event) => {
  event.preventDefault();
  const view = location.hash.startsWith('#/arrivals') ? 'arrivals' : 'departures';
  location.hash = `#/${view}/${find('airport').value.toUpperCase()}`;
});
find('flight-form').addEventListener('submit', (event) => {
  event.preventDefault();
  location.hash = `#/search/${encodeURIComponent(find('flight').value.trim())}`;
});
find('key-button').addEventListener('click', () => find('key-dialog').showModal());
find('key-form').addEventListener('submit', (event) => {
  if (event.submitter.value === 'save') storeKey(find('key').value.trim());
  find('key').value = '';
  void refresh();
});
addEventListener('hashchange', () => {
  // The skip link leads to the main part of the same view.
  if (!location.hash.startsWith('#/')) return;
  open();
  main.focus();
});
addEventListener('resize', () => void refresh());
document.addEventListener('visibilitychange', () => void refresh());
void attributions.then(open);
