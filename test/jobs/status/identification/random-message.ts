import type { Random } from '#test/domain/status/random-messages.ts';
import { canBeKnown, type Event, findExpected, type Reference, type Result } from './page-model.ts';
import { type DatedLeg, formatDay, formatInstant, type World } from './schedule-model.ts';

/** A message as it is sent, and what should become of it. */
export type SentMessage = {
  readonly door: 'status' | 'aidx' | 'mvt';
  /** A line, a leg of a document, or a telegram. It contains the registration, by which the message is recognized. */
  readonly text: string;
  readonly registration: string;
  /** The leg that the sender means; undefined when the schedule does not have it. */
  readonly meant: DatedLeg | undefined;
  /** What the pages say; undefined where they leave it open. */
  readonly expected: readonly Result[] | undefined;
  /** Whether the message states enough that another flight would be an error: its delay is within the documented limits. */
  readonly isJudged: boolean;
};

const pick = <T>(random: Random, values: readonly [T, ...T[]]): T => values[random(values.length)] ?? values[0];

/** Up to this many minutes late, no flight is given the message of another one: docs/reference/status-messages.md, "Times of the message". */
const MAX_JUDGED_DELAY = 360;

const createDelay = (random: Random): number => {
  const kind = random(20);
  if (kind < 12) return random(115) - 25;
  if (kind < 18) return 90 + random(MAX_JUDGED_DELAY - 90);
  return kind === 18 ? MAX_JUDGED_DELAY + random(720) : 18 * 60 + random(720);
};

/** What a message says of its leg: a time, or only a cancellation or a gate. */
type Report = {
  readonly kind: 'out' | 'estimatedOut' | 'in' | 'estimatedIn' | 'cancelled' | 'gate';
  readonly delay: number;
};

const toEvents = ({ kind, delay }: Report, leg: DatedLeg): readonly Event[] => {
  if (kind === 'cancelled' || kind === 'gate') return [];
  const end = kind === 'in' || kind === 'estimatedIn' ? 'in' : 'out';
  return [{ end, at: leg[end] + delay }];
};

const formatNumber = ({ series }: DatedLeg): string => `${series.number}${series.suffix}`;

type Draft = {
  readonly leg: DatedLeg;
  readonly report: Report;
  readonly registration: string;
  readonly random: Random;
};

/** The scheduled times that a message states: exact, of a source that knows a retiming, or wrong. */
const createScheduledTimes = ({
  leg,
  random,
}: Draft): Pick<Reference, 'scheduledOut' | 'scheduledIn'> & { readonly shift: number } => {
  const kind = random(10);
  const shift = kind < 8 ? 0 : kind === 8 ? (random(13) - 6) * 5 : (random(2) === 0 ? 1 : -1) * (35 + random(100) * 5);
  const ends = pick(random, ['out', 'in', 'both'] as const);
  return {
    ...(ends !== 'in' && { scheduledOut: leg.out + shift }),
    ...(ends !== 'out' && { scheduledIn: leg.in + shift }),
    shift,
  };
};

/** A wrong time can be that of another flight: then nothing shows which one is meant. */
const namesAnother = ({ legs }: World, { scheduledOut, scheduledIn }: Partial<Reference>, meant: DatedLeg): boolean =>
  legs.some(
    (leg) =>
      leg !== meant &&
      (scheduledOut === undefined || Math.abs(leg.out - scheduledOut) <= 30) &&
      (scheduledIn === undefined || Math.abs(leg.in - scheduledIn) <= 30),
  );

const toMember = (name: string, minute: number | undefined): object =>
  minute === undefined ? {} : { [name]: formatInstant(minute) };

const createStatus = (draft: Draft): { readonly text: string; readonly reference: Reference } => {
  const { leg, report, registration, random } = draft;
  const { shift: _, ...scheduled } = random(2) === 0 ? createScheduledTimes(draft) : { shift: 0 };
  const isTimed = 'scheduledOut' in scheduled || 'scheduledIn' in scheduled;
  const withDate = !isTimed || random(2) === 0;
  const { scheduledOut, scheduledIn }: Pick<Reference, 'scheduledOut' | 'scheduledIn'> = scheduled;
  const needsFrom = !isTimed || scheduledOut !== undefined || random(2) === 0;
  const needsTo = scheduledIn !== undefined || random(2) === 0;
  const reference: Reference = {
    suffix: leg.series.suffix,
    hasFourDates: false,
    ...(withDate && { date: leg.dates.originLocal }),
    ...(needsFrom && { from: leg.from }),
    ...(needsTo && { to: leg.to }),
    ...scheduled,
  };
  const flight = {
    carrier: 'XX',
    flightNumber: leg.series.number,
    ...(leg.series.suffix !== '' && { suffix: leg.series.suffix }),
    ...(withDate && { originDate: formatDay(leg.dates.originLocal) }),
    ...(needsFrom && { departureAirport: leg.from }),
    ...(needsTo && { arrivalAirport: leg.to }),
    ...toMember('scheduledDeparture', scheduledOut),
    ...toMember('scheduledArrival', scheduledIn),
  };
  const [event] = toEvents(report, leg);
  const at = event && formatInstant(event.at);
  const facts = {
    out: { departure: { actual: { out: at } } },
    estimatedOut: { departure: { estimated: { out: at } } },
    in: { arrival: { actual: { in: at } } },
    estimatedIn: { arrival: { estimated: { in: at } } },
    cancelled: { cancelled: true },
    gate: { departure: { gate: 'B1' } },
  }[report.kind];
  const message = {
    messageId: registration,
    observedAt: '2026-06-19T00:00:00Z',
    flight,
    ...facts,
    aircraft: { registration },
  };
  return { text: JSON.stringify(message), reference };
};

const operationTime = (qualifier: string, type: string, minute: number): string =>
  `<OperationTime OperationQualifier="${qualifier}" TimeType="${type}">${formatInstant(minute)}</OperationTime>`;

const createAidx = (draft: Draft): { readonly text: string; readonly reference: Reference } => {
  const { leg, report, registration, random } = draft;
  const { shift: _, ...scheduled } = random(5) < 3 ? createScheduledTimes(draft) : { shift: 0 };
  const { scheduledOut, scheduledIn }: Pick<Reference, 'scheduledOut' | 'scheduledIn'> = scheduled;
  const isTimed = scheduledOut !== undefined || scheduledIn !== undefined;
  const date =
    isTimed && random(4) === 0 ? undefined : pick(random, ['originLocal', 'originUtc', 'ownLocal', 'ownUtc'] as const);
  const originDate =
    date === undefined
      ? pick(random, ['', '<OriginDate>2000-01-01</OriginDate>'])
      : `<OriginDate>${formatDay(leg.dates[date])}</OriginDate>`;
  const [event] = toEvents(report, leg);
  const qualifier = event?.end === 'in' ? 'ONB' : 'OFB';
  const content = [
    report.kind === 'cancelled' ? '<OperationalStatus>DX</OperationalStatus>' : '',
    scheduledOut === undefined ? '' : operationTime('OFB', 'SCT', scheduledOut),
    scheduledIn === undefined ? '' : operationTime('ONB', 'SCT', scheduledIn),
    event ? operationTime(qualifier, report.kind.startsWith('estimated') ? 'EST' : 'ACT', event.at) : '',
    report.kind === 'gate'
      ? '<AirportResources Usage="Actual"><Resource DepartureOrArrival="Departure"><PassengerGate>B1</PassengerGate></Resource></AirportResources>'
      : '',
    `<AircraftInfo><Registration>${registration}</Registration></AircraftInfo>`,
  ];
  const suffix = leg.series.suffix === '' ? '' : `<OperationalSuffix>${leg.series.suffix}</OperationalSuffix>`;
  const text = `<FlightLeg><LegIdentifier><Airline>XX</Airline><FlightNumber>${leg.series.number}</FlightNumber>${suffix}<DepartureAirport>${leg.from}</DepartureAirport><ArrivalAirport>${leg.to}</ArrivalAirport>${originDate}</LegIdentifier><LegData>${content.join('')}</LegData></FlightLeg>`;
  const reference = {
    suffix: leg.series.suffix,
    hasFourDates: true,
    ...(date !== undefined && { date: leg.dates[date] }),
    from: leg.from,
    to: leg.to,
    ...scheduled,
  };
  return { text, reference };
};

const formatClock = (minute: number, withDay: boolean): string => {
  const text = formatInstant(minute);
  return `${withDay ? text.slice(8, 10) : ''}${text.slice(11, 13)}${text.slice(14, 16)}`;
};

const createTelegram = ({
  leg,
  report,
  registration,
  random,
}: Draft): { readonly text: string; readonly reference: Reference } => {
  const [event] = toEvents(report, leg);
  const date = pick(random, ['originLocal', 'originUtc', 'ownLocal', 'ownUtc'] as const);
  const isArrival = event?.end === 'in';
  const hasHeader = random(10) < 7;
  const hasDays = random(2) === 0;
  const isEstimate = report.kind === 'estimatedOut';
  const at = event?.at ?? leg.out;
  const sentAt = isEstimate ? at - 60 : at + 5;
  const time = formatClock(at, hasDays);
  const namesArrival = !isArrival && !isEstimate && random(2) === 0;
  const element = event
    ? `${isArrival ? 'AA/' : isEstimate ? 'ED' : 'AD'}${time}${namesArrival ? ` ${leg.to}` : ''}`
    : `NI${formatClock(at, true)}`;
  const station = isArrival ? leg.to : leg.from;
  const header = hasHeader ? [`.${station}OWXX ${formatClock(sentAt, true)}`] : [];
  const day = formatDay(leg.dates[date]).slice(8);
  const text = [...header, 'MVT', `XX${formatNumber(leg)}/${day}.${registration}.${station}`, element].join('\n');
  const reference: Reference = {
    suffix: leg.series.suffix,
    hasFourDates: true,
    date: leg.dates[date],
    ...(isArrival ? { to: leg.to } : { from: leg.from }),
    ...(namesArrival && event && { to: leg.to }),
    hasDerivedDays: !hasHeader && !hasDays,
  };
  return { text, reference };
};

const kinds = {
  status: ['out', 'estimatedOut', 'in', 'estimatedIn', 'cancelled', 'gate'],
  aidx: ['out', 'estimatedOut', 'in', 'estimatedIn', 'cancelled', 'gate'],
  // An arrival estimate of a telegram needs its departure.
  mvt: ['out', 'out', 'estimatedOut', 'in', 'gate'],
} as const;

const creators = { status: createStatus, aidx: createAidx, mvt: createTelegram };

/** Creates a message about a leg of a world or, of ten, about one that the schedule does not have. */
export const createMessage = (random: Random, world: World, registration: string): SentMessage => {
  const door = pick(random, ['status', 'aidx', 'mvt'] as const);
  const isAbsent = random(10) === 0;
  const legs = isAbsent ? world.absent : world.legs;
  const leg = legs[random(legs.length)] ?? world.legs[0];
  if (!leg) throw new Error('a world has legs');
  const report = { kind: kinds[door][random(kinds[door].length)] ?? 'out', delay: createDelay(random) };
  const { text, reference } = creators[door]({ leg, report, registration, random });
  const events = toEvents(report, leg);
  // A telegram without days can be read as another day than meant, and one from an airport without a due leg can report a diversion.
  const isOpen = door === 'mvt' && (reference.hasDerivedDays || isAbsent);
  const isTimed = reference.scheduledOut !== undefined || reference.scheduledIn !== undefined;
  // A flight that the schedule does not have can have the times of one that it has or, of four dates, the date.
  const hasOnlyDate = events.length === 0 && reference.hasFourDates && !isTimed;
  const canBeAnother = isAbsent && (hasOnlyDate || (events.length > 0 && canBeKnown(world, reference, events)));
  const decides = events.length === 0 || report.delay <= MAX_JUDGED_DELAY || isTimed;
  return {
    door,
    text,
    registration,
    meant: isAbsent ? undefined : leg,
    expected: isOpen ? undefined : findExpected(world, reference, events),
    isJudged: decides && !canBeAnother && !(isTimed && namesAnother(world, reference, leg)),
  };
};
