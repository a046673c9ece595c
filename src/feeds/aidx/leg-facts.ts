import type { XmlElement } from './xml-elements.ts';

/** Facts of a leg as the members of a status message; a value of null withdraws the previous one. */
export type LegFacts = Readonly<Record<string, unknown>>;

/** Adds a remark about an element whose value is not taken. */
export type AddNote = (path: string, element: XmlElement, note: string) => void;

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
const eventMembers: Readonly<Record<string, readonly [end: 'departure' | 'arrival', event: string]>> = {
  OFB: ['departure', 'out'],
  TKO: ['departure', 'off'],
  TDN: ['arrival', 'on'],
  ONB: ['arrival', 'in'],
};

/** Kinds of time in the order in which they take precedence: an estimate before a calculated time. */
const timeTypes: Readonly<Record<string, 'estimated' | 'actual'>> = {
  ACT: 'actual',
  EST: 'estimated',
  CAL: 'estimated',
};

type EventTimes = Record<string, Record<string, string | null>>;
/** The times of both ends: by end, kind and event. */
type LegTimes = { readonly departure: EventTimes; readonly arrival: EventTimes };

const describeTime = (qualifier: string, type: string): string => {
  if (!(qualifier in eventMembers)) return 'the status of a flight has no property for this event';
  return type === 'SCT'
    ? 'scheduled times are those of the schedule'
    : 'only actual, estimated and calculated times are taken';
};

const readTimes = (data: XmlElement | undefined, addNote: AddNote): LegTimes => {
  const times: LegTimes = { departure: {}, arrival: {} };
  const all = listChildren(data, 'OperationTime').map((element) => ({
    element,
    qualifier: element.attributes.get('OperationQualifier') ?? '',
    type: element.attributes.get('TimeType') ?? '',
  }));
  const order = Object.keys(timeTypes);
  for (const { element, qualifier, type } of all.toSorted((a, b) => order.indexOf(a.type) - order.indexOf(b.type))) {
    const path = `${LEG_DATA}/OperationTime[${qualifier} ${type}]`;
    const member = eventMembers[qualifier];
    const kind = timeTypes[type];
    const value = readText(element);
    if (!member || !kind) {
      addNote(path, element, describeTime(qualifier, type));
      continue;
    }
    const [end, event] = member;
    const ofKind = (times[end][kind] ??= {});
    if (value === undefined) continue;
    if (event in ofKind) addNote(path, element, 'another time of this event takes precedence');
    else ofKind[event] = value;
  }
  return times;
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
    ...(end === 'departure' ? { checkInCounter: readCounters(resource) } : { baggage: joinTexts(claims) }),
  };
};

const withoutAbsent = (members: LegFacts): LegFacts =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** Returns the resources of one end: planned ones, replaced by actual ones. */
const readResources = (data: XmlElement | undefined, end: 'departure' | 'arrival', addNote: AddNote): LegFacts => {
  const facts: Record<string, unknown> = {};
  const isActual = ({ attributes }: XmlElement): boolean => attributes.get('Usage') === 'Actual';
  const groups = listChildren(data, 'AirportResources').toSorted((a, b) => Number(isActual(a)) - Number(isActual(b)));
  for (const group of groups)
    for (const resource of listChildren(group, 'Resource'))
      if (resource.attributes.get('DepartureOrArrival')?.toLowerCase() === end)
        Object.assign(facts, withoutAbsent(readResource(resource, end, addNote)));
  return facts;
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
  SQ: 'reinstated',
  DV: 'diverted',
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

/** Returns the last planned arrival airport, unless it is that of the leg. */
const findDiversionAirport = (data: XmlElement | undefined, arrivalAirport: string): string | undefined => {
  const last = listChildren(data, 'PlannedArrivalAptHistory').at(-1)?.text ?? '';
  return last === '' || last === arrivalAirport ? undefined : last;
};

/**
 * Returns the facts of a leg as members of a status message. After a diversion the times of arrival are those at the diversion airport. Values that
 * are not taken are reported to `addNote`.
 */
export const readLegFacts = (leg: XmlElement, arrivalAirport: string, addNote: AddNote): LegFacts => {
  const data = findChild(leg, 'LegData');
  const times = readTimes(data, addNote);
  const meanings = readStatuses(data, addNote);
  const isDiverted = meanings.has('diverted');
  const airport = findDiversionAirport(data, arrivalAirport);
  const action = findChild(leg, 'SpecialAction');
  const isDeleted = action?.text === 'Delete';
  if (action && !isDeleted)
    addNote(`FlightLeg/SpecialAction[${action.text}]`, action, 'the status of a flight has no property for it');
  const isCancelled = meanings.has('cancelled') || isDeleted;
  const diversion = { number: 1, ...(airport !== undefined && { airport }), ...times.arrival };
  const members: Readonly<Record<string, LegFacts>> = {
    departure: { ...times.departure, ...readResources(data, 'departure', addNote) },
    arrival: { ...(isDiverted ? {} : times.arrival), ...readResources(data, 'arrival', addNote) },
    aircraft: readAircraft(data, addNote),
  };
  return {
    ...Object.fromEntries(Object.entries(members).filter(([, one]) => Object.keys(one).length > 0)),
    ...(isCancelled ? { cancelled: true } : meanings.has('reinstated') && { cancelled: false }),
    ...(meanings.has('returned') && { returnedToGate: true }),
    ...(isDiverted && { diversions: [diversion] }),
  };
};
