// What the page says about a flight: names, times and states, as text.

const TIMES = { departure: ['outGate', 'offGround'], arrival: ['inGate', 'onGround'] };

/** Creates an element with attributes and children. */
export const create = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

export const codeOf = ({ iata, icao, faa } = {}) => iata ?? icao ?? faa ?? '';
export const statusOf = ({ statusDetails = [] }) => statusDetails[0];
export const formatName = ({ carrier, flightNumber, serviceSuffix = '' }) =>
  `${codeOf(carrier)} ${flightNumber}${serviceSuffix}`;
export const formatCodeshares = ({ codeshare }) =>
  (codeshare.marketingFlights ?? [])
    .map(({ code, serviceNumber, suffix }) => `${code} ${serviceNumber}${suffix}`)
    .join(', ');
/** Links a flight; one that is in no schedule has the key of its status only. */
export const linkOf = ({ departure, scheduleInstanceKey, statusKey }) =>
  `#/flight/${departure.date.local}/${scheduleInstanceKey ?? statusKey}`;

/** Returns the scheduled time of one end. */
export const scheduledTime = (flight, end) => {
  const { date, time } = flight[end];
  return { kind: 'scheduled', local: `${date.local}T${time.local}`, utc: Date.parse(`${date.utc}T${time.utc}Z`) };
};

/** Formats a UTC time of the API. */
export const formatUtc = (time) => `${time.slice(0, 16).replace('T', ' ')} UTC`;

/** Returns the latest time of one end, as a search by it does: actual, else estimated, else scheduled. */
export const latestTime = (flight, end) => {
  const status = statusOf(flight)?.[end];
  for (const kind of ['actual', 'estimated'])
    for (const name of TIMES[end]) {
      const time = status?.[`${kind}Time`]?.[name];
      if (time) return { kind, name, local: time.local.slice(0, 16), utc: Date.parse(time.utc) };
    }
  return scheduledTime(flight, end);
};

/** Returns latest minus scheduled time, minutes. */
export const lateMinutes = (flight, end) =>
  Math.floor(latestTime(flight, end).utc / 60_000) - scheduledTime(flight, end).utc / 60_000;

/** Formats a local time, with its date if that is another one. */
export const formatTime = (local, date) =>
  local.slice(0, 10) === date
    ? local.slice(11, 16)
    : `${local.slice(11, 16)} ${local.slice(8, 10)}/${local.slice(5, 7)}`;

/** Formats the scheduled time of one end; `about` marks one that is estimated from the distance. */
export const formatScheduled = (flight, end, date) =>
  `${flight[end].isEstimated ? 'about ' : ''}${formatTime(scheduledTime(flight, end).local, date)}`;

/** Formats an instant in a time zone, as in local times: `2027-03-01T12:00`. */
export const toLocal = (milliseconds, timeZone = 'UTC') =>
  new Date(milliseconds).toLocaleString('sv', { timeZone }).slice(0, 16).replace(' ', 'T');

const gateTexts = {
  GateOpen: 'Gate open',
  Boarding: 'Boarding',
  FinalCall: 'Final call',
  BoardingEnded: 'Boarding ended',
  GateClosed: 'Gate closed',
};
const stateTexts = {
  departure: { OutGate: 'Left the gate', inAir: 'Departed', Landed: 'Arrived', InGate: 'Arrived' },
  arrival: { Landed: 'Landed', InGate: 'Arrived' },
};

/** Describes the state of a flight as seen from one end. */
export const describeState = (flight, end) => {
  const { state, departure, arrival, irregularOperationType, diversionAirport } = statusOf(flight) ?? {};
  if (state === 'Canceled') return { text: 'Cancelled', kind: 'bad' };
  if (state === 'Proposed') return { text: 'Proposed' };
  if (irregularOperationType === 'Diverted' && codeOf(arrival?.airport) !== codeOf(flight.arrival.airport))
    return { text: `Diverted ${codeOf(diversionAirport)}`, kind: 'bad' };
  const done = stateTexts[end][state];
  if (done) return { text: done, kind: 'good' };
  const { kind, local } = latestTime(flight, end);
  const late = lateMinutes(flight, end);
  const gate = end === 'departure' ? gateTexts[departure?.boarding?.status] : undefined;
  if (kind === 'scheduled') return { text: gate ?? 'Scheduled' };
  const expected = late === 0 ? 'On time' : `Expected ${local.slice(11)}`;
  return { text: gate ?? expected, kind: late > 0 ? 'late' : 'good' };
};

/** Properties that a timeline leaves out: they follow from others. */
const derived = /^(airport|country|utc|updatedAt|correction|sources|\w+(Timeliness|Variation))$/;

/** Returns the values of a status by their names in words, such as `departure estimated out gate`, to compare it with another. */
export const listFacts = (value, words = '') => {
  if (typeof value !== 'object') return new Map([[words, value]]);
  const members = Object.entries(value).filter(([name]) => !derived.test(name));
  return new Map(
    members.flatMap(([name, member]) => {
      if (name === 'local') return [[words, member.slice(11, 16)]];
      const word = name
        .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
        .toLowerCase()
        .replace(/ time$/, '');
      return [...listFacts(member, `${words} ${word}`.trim())];
    }),
  );
};
