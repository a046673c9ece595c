import { addDays, formatDate, parseDate } from '#domain/time/dates.ts';
import { parseMessageInstant } from '../status/wire-values.ts';
import type { XmlElement } from './xml-elements.ts';

/** Facts of a leg as the members of a status message; a value of null withdraws the previous one. */
export type LegFacts = Readonly<Record<string, unknown>>;

/** Adds a remark about an element whose value is not taken. */
type AddNote = (path: string, element: XmlElement, note: string) => void;

/** The remarks on a leg: what is not taken, and values that are wrong. */
export type LegRemarks = { readonly addNote: AddNote; readonly addError: AddNote };

const LEG_DATA = 'FlightLeg/LegData';

const listChildren = (element: XmlElement | undefined, name: string): readonly XmlElement[] =>
  element?.children.filter((child) => child.name === name && !child.isForeign) ?? [];

export const findChild = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  listChildren(element, name)[0];

/** Returns the text of an element: null where it states that there is none, and undefined where it is absent or empty. */
const readText = (element: XmlElement | undefined): string | null | undefined => {
  if (element?.isNil) return null;
  return element?.text === '' ? undefined : element?.text;
};

/** Where the time of an event is stored. */
const eventMembers: ReadonlyMap<string, readonly [end: 'departure' | 'arrival', event: string]> = new Map([
  ['OFB', ['departure', 'out']],
  ['TKO', ['departure', 'off']],
  ['TDN', ['arrival', 'on']],
  ['ONB', ['arrival', 'in']],
]);

/** Kinds of time in the order in which they take precedence: an estimate before a calculated time. */
const timeTypes: ReadonlyMap<string, 'estimated' | 'actual'> = new Map([
  ['ACT', 'actual'],
  ['EST', 'estimated'],
  ['CAL', 'estimated'],
]);

type TimeElement = { readonly element: XmlElement; readonly qualifier: string; readonly type: string };

const listTimes = (data: XmlElement | undefined): readonly TimeElement[] =>
  listChildren(data, 'OperationTime').map((element) => ({
    element,
    qualifier: element.attributes.get('OperationQualifier') ?? '',
    type: element.attributes.get('TimeType') ?? '',
  }));

const toTimePath = ({ qualifier, type }: TimeElement): string => `${LEG_DATA}/OperationTime[${qualifier} ${type}]`;

/** Returns the path of one element, with its `RepeatIndex`. */
const toElementPath = (one: TimeElement): string => {
  const index = one.element.attributes.get('RepeatIndex');
  return index === undefined ? toTimePath(one) : toTimePath(one).replace(']', ` RepeatIndex=${index}]`);
};

/** Midnight at the end of a day, which XML allows. */
const endOfDay = /^(\d{4}-\d\d-\d\d)T24:00(?::00(?:\.0+)?)?(?=\D|$)/;

/** Returns a time with midnight at the beginning of the next day. */
const normalizeTime = (text: string): string =>
  text.replace(endOfDay, (match, date: string) => {
    const day = parseDate(date);
    return day === undefined ? match : `${formatDate(addDays(day, 1))}T00:00:00`;
  });

/** Returns the time of an element as `readText` does; one that is wrong is reported and undefined. */
const readTime = (one: TimeElement, addError: AddNote): string | null | undefined => {
  const text = readText(one.element);
  if (typeof text !== 'string') return text;
  const time = normalizeTime(text);
  if (parseMessageInstant(time) !== undefined) return time;
  const path = toElementPath(one);
  addError(path, one.element, `${path} must be a date and time with its offset from UTC, not '${text.slice(0, 40)}'.`);
  return undefined;
};

const isProcessEvent = ({ qualifier, type }: TimeElement): boolean => processEvents.has(qualifier) && type === 'ACT';

/** Whether a time identifies the leg. */
const isScheduled = ({ qualifier, type }: TimeElement): boolean => type === 'SCT' && eventMembers.has(qualifier);

type EventTimes = Record<string, Record<string, string | null>>;
/** The times of both ends: by end, kind and event. */
type LegTimes = {
  readonly departure: EventTimes;
  readonly arrival: EventTimes;
  /** The paths of the elements by their members: `departure.actual.out`. */
  readonly paths: ReadonlyMap<string, string>;
};

/** The events of check-in and boarding, in their order, and the status that each leads to. */
const processEvents: ReadonlyMap<string, readonly [member: 'checkIn' | 'boarding', status: string]> = new Map([
  ['CHK', ['checkIn', 'Open']],
  ['CHC', ['checkIn', 'Closed']],
  ['GTO', ['boarding', 'GateOpen']],
  ['BST', ['boarding', 'Boarding']],
  ['FCT', ['boarding', 'FinalCall']],
  ['BEN', ['boarding', 'BoardingEnded']],
  ['GCL', ['boarding', 'GateClosed']],
]);

/** Events whose scheduled times identify the leg, by end: the second one of an end counts without the first. */
const scheduledEvents: Readonly<Record<'departure' | 'arrival', readonly string[]>> = {
  departure: ['OFB', 'TKO'],
  arrival: ['ONB', 'TDN'],
};

/** Scheduled times of a leg as the document states them. */
export type StatedSchedule = { readonly departure: string | undefined; readonly arrival: string | undefined };

/** Returns the scheduled times of a leg, which identify it. */
export const readScheduledTimes = (leg: XmlElement, { addError }: LegRemarks): StatedSchedule => {
  const scheduled = listTimes(findChild(leg, 'LegData')).filter(({ type }) => type === 'SCT');
  const find = (end: 'departure' | 'arrival'): string | undefined =>
    scheduledEvents[end]
      .flatMap((event) => scheduled.filter(({ qualifier }) => qualifier === event))
      .map((one) => readTime(one, addError))
      .find((text) => typeof text === 'string');
  return { departure: find('departure'), arrival: find('arrival') };
};

const describeTime = (qualifier: string): string => {
  if (processEvents.has(qualifier)) return 'only actual times of this event are taken';
  if (!eventMembers.has(qualifier)) return 'the status of a flight has no property for this event';
  return 'only actual, estimated and calculated times are taken';
};

const readTimes = (data: XmlElement | undefined, { addNote, addError }: LegRemarks): LegTimes => {
  const paths = new Map<string, string>();
  const times: LegTimes = { departure: {}, arrival: {}, paths };
  const all = listTimes(data).filter((one) => !isProcessEvent(one) && !isScheduled(one));
  const order = [...timeTypes.keys()];
  for (const one of all.toSorted((a, b) => order.indexOf(a.type) - order.indexOf(b.type))) {
    const { element, qualifier, type } = one;
    const path = toTimePath(one);
    const member = eventMembers.get(qualifier);
    const kind = timeTypes.get(type);
    if (!member || !kind) {
      addNote(path, element, describeTime(qualifier));
      continue;
    }
    const [end, event] = member;
    const ofKind = (times[end][kind] ??= {});
    const value = readTime(one, addError);
    if (value === undefined) continue;
    if (event in ofKind) addNote(path, element, 'another time of this event takes precedence');
    else {
      ofKind[event] = value;
      paths.set(`${end}.${kind}.${event}`, toElementPath(one));
      if (end === 'arrival') paths.set(`diversions.0.${kind}.${event}`, toElementPath(one));
    }
  }
  return times;
};

type ProcessTime = TimeElement & { readonly time: string };

/** Sorts the latest event first; of events at the same time, the last of the process. */
const compareEvents = (a: ProcessTime, b: ProcessTime): number => {
  const order = [...processEvents.keys()];
  const [first = 0, second = 0] = [a, b].map(({ time }) => parseMessageInstant(time));
  return second - first || order.indexOf(b.qualifier) - order.indexOf(a.qualifier);
};

/** Returns the latest event of check-in or boarding; null where all its events are withdrawn. */
const readProcess = (
  data: XmlElement | undefined,
  member: 'checkIn' | 'boarding',
  { addNote, addError }: LegRemarks,
): unknown => {
  const all = listTimes(data).filter((one) => isProcessEvent(one) && processEvents.get(one.qualifier)?.[0] === member);
  const timed = all.flatMap((one): readonly ProcessTime[] => {
    const time = readTime(one, addError);
    return typeof time === 'string' ? [{ ...one, time }] : [];
  });
  const [latest, ...others] = timed.toSorted(compareEvents);
  for (const other of others) addNote(toTimePath(other), other.element, 'a later event takes precedence');
  if (latest) return { status: processEvents.get(latest.qualifier)?.[1], at: latest.time };
  return all.some(({ element }) => element.isNil) ? null : undefined;
};

/** Joins the distinct values of repeated elements: `20B/20C`. */
const joinTexts = (elements: readonly XmlElement[]): string | null | undefined => {
  const texts = elements.map(readText);
  const values = [...new Set(texts.filter((text) => typeof text === 'string'))];
  if (values.length > 0) return values.join('/');
  return texts.includes(null) ? null : undefined;
};

/** Returns the counters: ranges such as `12-15`, or single ones. */
const readCounters = (resource: XmlElement): string | null | undefined => {
  const infos = listChildren(resource, 'CheckInInfo');
  const ranges = infos.flatMap((info) => {
    const first = readText(findChild(info, 'FirstPosition')) ?? '';
    const last = readText(findChild(info, 'LastPosition')) ?? '';
    return first === '' || last === '' || first === last ? [first || last] : [`${first}-${last}`];
  });
  const counters = [...new Set(ranges.filter((text) => text !== ''))].join('/');
  if (counters !== '') return counters;
  return infos.some(({ isNil }) => isNil) ? null : undefined;
};

const readResource = (resource: XmlElement, end: 'departure' | 'arrival', addNote: AddNote): LegFacts => {
  const path = `${LEG_DATA}/AirportResources/Resource`;
  const terminals = listChildren(resource, 'PublicTerminal');
  const claims = listChildren(resource, 'BaggageClaimUnit');
  const counters = listChildren(resource, 'CheckInInfo');
  if (end === 'departure')
    for (const claim of claims) addNote(`${path}/BaggageClaimUnit`, claim, 'a departure has no baggage claim');
  else for (const info of counters) addNote(`${path}/CheckInInfo`, info, 'an arrival has no check-in');
  return {
    terminal: joinTexts(terminals.length > 0 ? terminals : listChildren(resource, 'AircraftTerminal')),
    gate: joinTexts(listChildren(resource, 'PassengerGate')),
    stand: joinTexts(listChildren(resource, 'AircraftParkingPosition')),
    ...(end === 'departure' ? { checkInCounter: readCounters(resource) } : { baggage: joinTexts(claims) }),
  };
};

const withoutAbsent = (members: LegFacts): LegFacts =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** Returns the resources of one end, actual and planned ones apart: planned ones never replace actual ones, of other documents too. */
const readResources = (data: XmlElement | undefined, end: 'departure' | 'arrival', addNote: AddNote): LegFacts => {
  const [actual, planned]: Record<string, unknown>[] = [{}, {}];
  for (const group of listChildren(data, 'AirportResources')) {
    const facts = group.attributes.get('Usage') === 'Planned' ? planned : actual;
    for (const resource of listChildren(group, 'Resource'))
      if (facts && resource.attributes.get('DepartureOrArrival')?.toLowerCase() === end)
        Object.assign(facts, withoutAbsent(readResource(resource, end, addNote)));
  }
  return { ...actual, ...(planned && Object.keys(planned).length > 0 && { planned }) };
};

const readAircraft = (data: XmlElement | undefined, addNote: AddNote): LegFacts => {
  const info = findChild(data, 'AircraftInfo');
  const types: { iata?: string; icao?: string } = {};
  const elements = [...listChildren(info, 'AircraftSubType'), ...listChildren(info, 'AircraftType')];
  for (const element of elements) {
    const path = `${LEG_DATA}/AircraftInfo/${element.name}`;
    const text = readText(element);
    if (typeof text !== 'string') continue;
    const system = text.length === 3 ? 'iata' : 'icao';
    if (text === 'ZZZ' || text === 'ZZZZ') addNote(path, element, 'it is the code of an undefined type');
    else if (types[system] !== undefined) addNote(path, element, 'another type takes precedence');
    else types[system] = text;
  }
  const isWithdrawn = elements.length > 0 && elements.every(({ isNil }) => isNil);
  const hasType = Object.keys(types).length > 0;
  const [registration, ...others] = listChildren(info, 'Registration');
  for (const other of others) addNote(`${LEG_DATA}/AircraftInfo/Registration`, other, 'another one precedes it');
  return withoutAbsent({
    registration: readText(registration),
    type: isWithdrawn ? null : hasType ? types : undefined,
  });
};

/** What an operational status means. */
type StatusMeaning = 'cancelled' | 'reinstated' | 'diverted' | 'returned' | undefined;

/** Codes of code sets 1245, 2005 and 9750. Only `SQ` reinstates a cancelled flight. */
const statusMeanings: Readonly<Record<string, StatusMeaning>> = {
  DX: 'cancelled',
  NOP: 'cancelled',
  SQ: 'reinstated',
  DV: 'diverted',
  RT: 'diverted',
  DIV: 'diverted',
  GRT: 'returned',
  RTN: 'returned',
};

const describeStatus = (code: string): string =>
  code === 'OP'
    ? 'that a leg operates changes nothing: only SQ reinstates a cancelled one'
    : 'the status of a flight has no property for this code';

const readStatuses = (data: XmlElement | undefined, addNote: AddNote): ReadonlySet<StatusMeaning> => {
  const meanings = new Set<StatusMeaning>();
  for (const element of listChildren(data, 'OperationalStatus')) {
    const meaning = statusMeanings[element.text.toUpperCase()];
    if (meaning) meanings.add(meaning);
    else addNote(`${LEG_DATA}/OperationalStatus[${element.text}]`, element, describeStatus(element.text));
  }
  return meanings;
};

/** Returns the position of an element among repeated ones; elements without it keep their order. */
const getRepeatIndex = ({ attributes }: XmlElement): number => Number(attributes.get('RepeatIndex') ?? 0) || 0;

/** Returns the last planned arrival airport, unless it is that of the leg. */
const findDiversionAirport = (data: XmlElement | undefined, arrivalAirport: string): string | undefined => {
  const history = listChildren(data, 'PlannedArrivalAptHistory');
  const last = history.toSorted((a, b) => getRepeatIndex(a) - getRepeatIndex(b)).at(-1)?.text ?? '';
  return last === '' || last === arrivalAirport ? undefined : last;
};

/** Returns whether an action hides the flight; null where it withdraws the action before. */
const readHidden = (action: XmlElement | undefined): boolean | null | undefined => {
  if (action?.isNil) return null;
  return action?.text === 'LockDown' || action?.text === 'DoNotDisplay' ? true : undefined;
};

/**
 * Returns the facts of a leg as members of a status message, and the paths of the elements of its times by member. After a diversion the times of arrival
 * are those at the diversion airport. What is not taken is reported to `addNote`, wrong times to `addError`.
 */
export const readLegFacts = (
  leg: XmlElement,
  arrivalAirport: string,
  remarks: LegRemarks,
): { readonly facts: LegFacts; readonly paths: ReadonlyMap<string, string> } => {
  const { addNote } = remarks;
  const data = findChild(leg, 'LegData');
  const times = readTimes(data, remarks);
  const meanings = readStatuses(data, addNote);
  const isDiverted = meanings.has('diverted');
  const airport = findDiversionAirport(data, arrivalAirport);
  const action = findChild(leg, 'SpecialAction');
  const isDeleted = action?.text === 'Delete';
  const hidden = readHidden(action);
  if (action && !isDeleted && hidden === undefined)
    addNote(`FlightLeg/SpecialAction[${action.text}]`, action, 'the status of a flight has no property for it');
  const isCancelled = meanings.has('cancelled') || isDeleted;
  const diversion = { number: 1, ...(airport !== undefined && { airport }), ...times.arrival };
  const members: Readonly<Record<string, LegFacts>> = {
    departure: {
      ...times.departure,
      ...readResources(data, 'departure', addNote),
      ...withoutAbsent({
        checkIn: readProcess(data, 'checkIn', remarks),
        boarding: readProcess(data, 'boarding', remarks),
      }),
    },
    arrival: { ...(isDiverted ? {} : times.arrival), ...readResources(data, 'arrival', addNote) },
    aircraft: readAircraft(data, addNote),
  };
  const facts = {
    ...Object.fromEntries(Object.entries(members).filter(([, one]) => Object.keys(one).length > 0)),
    ...(isCancelled ? { cancelled: true } : meanings.has('reinstated') && { cancelled: false }),
    ...(hidden !== undefined && { hidden }),
    ...(meanings.has('returned') && { returnedToGate: true }),
    ...(isDiverted && { diversions: [diversion] }),
  };
  return { facts, paths: times.paths };
};
