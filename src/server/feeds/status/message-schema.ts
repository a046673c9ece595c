import { z } from 'zod';
import { boardingStatuses, checkInStatuses, plannedFlightTypes } from '#domain/status/message.ts';
import {
  airportCode,
  carrierCode,
  date,
  iataType,
  icaoType,
  instant,
  key,
  letter,
  messageId,
  registration,
  seatCount,
  signText,
  sourceName,
} from './wire-values.ts';

/** A fact that a message reports, deletes with null, or does not report when absent. */
const fact = <T extends z.ZodType>(value: T, description: string) => value.nullable().optional().describe(description);

const departureEvents = (verb: string) =>
  z.strictObject({
    out: fact(instant, `Off block: the aircraft ${verb} out of the gate. Null deletes it.`),
    off: fact(instant, `Take-off: the aircraft ${verb} off the ground, not before \`out\`. Null deletes it.`),
  });

const arrivalEvents = (verb: string) =>
  z.strictObject({
    on: fact(instant, `Touchdown: the aircraft ${verb} on the ground. Null deletes it.`),
    in: fact(instant, `On block: the aircraft ${verb} in the gate, not before \`on\`. Null deletes it.`),
  });

const departureTimes = {
  estimated: departureEvents('is expected').optional().describe('Estimated departure times.'),
  actual: departureEvents('was').optional().describe('Actual departure times.'),
};

const arrivalTimes = {
  estimated: arrivalEvents('is expected').optional().describe('Estimated arrival times.'),
  actual: arrivalEvents('was').optional().describe('Actual arrival times.'),
};

/** An event of check-in or boarding. */
const processEvent = <const Status extends string>(statuses: readonly Status[]) =>
  z.strictObject({
    status: z.enum(statuses).describe('The event.'),
    at: instant.describe('When it occurred.'),
  });

const aircraftType = z.strictObject({
  iata: iataType.optional().describe('IATA code of the aircraft type. Absent when unknown.'),
  icao: icaoType.optional().describe('ICAO designator of the aircraft type. Absent when unknown.'),
});

const departureDate = date.describe('Local date of scheduled departure at the departure airport.');

const designator = {
  carrier: carrierCode.describe('Carrier of the flight designator: IATA code (2 characters) or ICAO code (3).'),
  flightNumber: z.int().min(0).max(9999).describe('Flight number of the designator.'),
  suffix: letter.optional().describe('Operational suffix of the designator. Absent when it has none.'),
};

const originDate = date.describe('Local date on which the flight departs from its first station, for every leg.');
const departureAirport = airportCode.describe('Scheduled departure airport of this leg: IATA, ICAO or FAA code.');
const arrivalAirport = airportCode.describe(
  'Scheduled arrival airport of this leg, not the diversion airport. Absent when unknown.',
);
const scheduledArrival = instant.describe('Scheduled arrival of this leg at `arrivalAirport`, to the minute.');
const originDateToCheck = originDate
  .optional()
  .describe('Local date on which the flight departs from its first station. If present, it must agree.');

/** The forms of a flight reference by a scheduled time, by the member that only they have. */
export const scheduledForms = {
  scheduledDeparture: z
    .strictObject({
      ...designator,
      scheduledDeparture: instant.describe(
        'Scheduled departure of this leg at `departureAirport`, to the minute: as in the schedule, not an estimate.',
      ),
      departureAirport,
      scheduledArrival: scheduledArrival.optional(),
      arrivalAirport: arrivalAirport.optional(),
      originDate: originDateToCheck,
    })
    .refine((one) => one.scheduledArrival === undefined || one.arrivalAirport !== undefined, {
      error: 'must have the arrivalAirport of its scheduledArrival',
    })
    .meta({ dependentRequired: { scheduledArrival: ['arrivalAirport'] } })
    .describe('By designator and scheduled departure.'),
  scheduledArrival: z
    .strictObject({
      ...designator,
      scheduledArrival,
      arrivalAirport,
      departureAirport: departureAirport.optional(),
      originDate: originDateToCheck,
    })
    .describe('By designator and scheduled arrival.'),
} as const;

/** The forms of a flight reference, distinguished by the members `leadingMembers` in `message-errors.ts`. */
const flight = z
  .union(
    [
      z
        .strictObject({ ...designator, originDate, departureAirport, arrivalAirport: arrivalAirport.optional() })
        .describe('By designator, date and airport.'),
      scheduledForms.scheduledDeparture,
      scheduledForms.scheduledArrival,
      z
        .strictObject({ statusKey: key.describe('The `statusKey` of the flight in this service.'), departureDate })
        .describe('By status key.'),
      z
        .strictObject({
          scheduleInstanceKey: key.describe('The `scheduleInstanceKey` of the flight in this service.'),
          departureDate,
        })
        .describe('By schedule instance key.'),
    ],
    { error: 'must identify a flight by carrier and flightNumber, by statusKey or by scheduleInstanceKey' },
  )
  .meta({ id: 'Flight' });

/** A landing is identified across messages by its number, else by the airport code. */
const diversion = z
  .strictObject({
    number: z.int().min(1).max(9).optional().describe('Number of the diversion of the flight, starting at 1.'),
    airport: fact(
      airportCode,
      'Diversion airport, or the departure airport after an air return: IATA, ICAO or FAA code. ' +
        'Absent while unknown; null, with a number, deletes the whole diversion.',
    ),
    type: fact(
      z.enum(['Undefined', 'Unplanned', 'InAirReturn', 'TechnicalStop']),
      'The kind of diversion. `InAirReturn`: back to the departure airport. `TechnicalStop`: a landing on the way, for example to refuel; ' +
        'the flight continues. `Unplanned`: another airport than planned; the flight can continue later or end there. `Undefined`: the ' +
        'airport is not known. If absent, the service derives it; null deletes it.',
    ),
    ...arrivalTimes,
    continues: fact(
      z.boolean(),
      'True when the flight continues from there under its own designator, false when it ends there; null when that is open again.',
    ),
    onward: z.strictObject(departureTimes).optional().describe('Continuation from there under the same designator.'),
  })
  .refine(({ number, airport }) => number !== undefined || typeof airport === 'string', {
    error: 'must have a number or an airport',
  })
  .meta({
    anyOf: [{ required: ['number'] }, { required: ['airport'], properties: { airport: { type: 'string' } } }],
  });

type Diversion = z.infer<typeof diversion>;

/** Returns what identifies a diversion within its flight. */
export const toDiversionId = ({ number, airport }: Pick<Diversion, 'number' | 'airport'>): string =>
  number === undefined ? (airport ?? '').toUpperCase() : String(number);

const areDistinct = (diversions: readonly Diversion[]): boolean =>
  diversions.length < 2 || new Set(diversions.map(toDiversionId)).size === diversions.length;

/** The most marketing designators of a plan. Real flights have up to 25. */
const MAX_CODESHARES = 50;

const planEnd = (what: string, end: string) =>
  z
    .strictObject({
      airport: airportCode.describe('IATA, ICAO or FAA code.'),
      at: instant.optional().describe(`Planned ${what} time${end}. Absent when unknown.`),
    })
    .describe(`Planned ${what} airport and time.`);

const plan = z
  .strictObject({
    flightType: z
      .enum(plannedFlightTypes)
      .describe(
        '`Scheduled` for a flight of the published timetable of an airport, `GA` for general and business aviation, `Unscheduled` for any other ' +
          'flight outside schedules.',
      ),
    departs: planEnd('departure', ''),
    arrives: planEnd('arrival', ', not before the departure'),
    codeshares: z
      .array(z.strictObject(designator).describe('A marketing designator of the flight.'))
      .max(MAX_CODESHARES)
      .optional()
      .describe(
        'The marketing designators of a `Scheduled` flight, without its own. They are added to those of earlier messages.',
      ),
    serviceType: letter
      .optional()
      .describe('IATA service type, such as `D` for general aviation. Absent when unknown.'),
    aircraftType: aircraftType.optional().describe('Planned aircraft type. Absent when unknown.'),
    recovers: flight
      .optional()
      .describe('For a recovery flight: the flight whose passengers it carries. Absent for all other flights.'),
  })
  .refine(({ departs, arrives }) => departs.at !== undefined || arrives.at !== undefined, {
    error: 'must have departs.at or arrives.at',
  })
  .refine(({ flightType, codeshares }) => flightType === 'Scheduled' || codeshares === undefined, {
    error: 'must have the flightType Scheduled if it has codeshares',
  })
  .meta({
    allOf: [
      {
        anyOf: [
          { properties: { departs: { type: 'object', required: ['at'] } } },
          { properties: { arrives: { type: 'object', required: ['at'] } } },
        ],
      },
      { anyOf: [{ properties: { flightType: { const: 'Scheduled' } } }, { not: { required: ['codeshares'] } }] },
    ],
  });

/** One line of a status feed. Unknown members are rejected, so that a misspelt name is not silently ignored. */
export const statusMessageSchema = z
  .strictObject({
    messageId: messageId.describe('Message ID of the source, permanently unique. A repeated message changes nothing.'),
    observedAt: instant.describe(
      'When the source observed this, to the millisecond. The message with the later time wins, in any order of arrival.',
    ),
    source: sourceName.optional().describe('Source of the message. Absent means `feed`.'),
    flight: flight.describe('The flight of this message.'),
    departure: z
      .strictObject({
        ...departureTimes,
        terminal: fact(signText, 'Departure terminal. Null deletes it.'),
        gate: fact(signText, 'Departure gate. Null deletes it.'),
        stand: fact(signText, 'Departure stand of the aircraft. Null deletes it.'),
        checkInCounter: fact(signText, 'Check-in counter or row. Null deletes it.'),
        checkIn: fact(processEvent(checkInStatuses), 'Latest event of check-in. Null deletes it.'),
        boarding: fact(
          processEvent(boardingStatuses),
          'Latest event at the gate: it opened, boarding started, final call, boarding ended, the gate closed. Null deletes it.',
        ),
        planned: z
          .strictObject({
            terminal: fact(signText, 'Planned departure terminal. Null deletes it.'),
            gate: fact(signText, 'Planned departure gate. Null deletes it.'),
            stand: fact(signText, 'Planned departure stand. Null deletes it.'),
            checkInCounter: fact(signText, 'Planned check-in counter or row. Null deletes it.'),
          })
          .optional()
          .describe('Planned resources. Each counts while no actual one is known.'),
      })
      .optional()
      .describe('At the scheduled departure airport.'),
    arrival: z
      .strictObject({
        ...arrivalTimes,
        terminal: fact(signText, 'Arrival terminal. Null deletes it.'),
        gate: fact(signText, 'Arrival gate. Null deletes it.'),
        stand: fact(signText, 'Arrival stand of the aircraft. Null deletes it.'),
        baggage: fact(signText, 'Baggage belt. Null deletes it.'),
        planned: z
          .strictObject({
            terminal: fact(signText, 'Planned arrival terminal. Null deletes it.'),
            gate: fact(signText, 'Planned arrival gate. Null deletes it.'),
            stand: fact(signText, 'Planned arrival stand. Null deletes it.'),
            baggage: fact(signText, 'Planned baggage belt. Null deletes it.'),
          })
          .optional()
          .describe('Planned resources. Each counts while no actual one is known.'),
      })
      .optional()
      .describe(
        'Times at the scheduled arrival airport. Terminal, gate, stand and baggage belt at the airport to which the flight is bound: after a diversion, the diversion airport.',
      ),
    aircraft: z
      .strictObject({
        registration: fact(registration, 'Registration, with or without hyphens. Null deletes it.'),
        type: fact(aircraftType, 'Actual aircraft type. Null deletes it.'),
      })
      .optional()
      .describe('Actual aircraft.'),
    seats: fact(
      z.strictObject({
        firstClass: seatCount.optional().describe('Seats in first class.'),
        businessClass: seatCount.optional().describe('Seats in business class.'),
        premiumEconomyClass: seatCount.optional().describe('Seats in premium economy.'),
        economyPlusClass: seatCount.optional().describe('Seats in economy with extra legroom.'),
        economyClass: seatCount.optional().describe('Seats in economy.'),
        totalSeats: seatCount.optional().describe('Seats in all cabins.'),
      }),
      'Seats of the actual aircraft. Send all known cabins together; absent cabins are unknown. Null deletes them.',
    ),
    cancelled: fact(z.boolean(), 'True on cancellation, false on reinstatement; null deletes the value.'),
    proposed: fact(z.boolean(), 'True while a business flight is filed and has not started; null deletes the value.'),
    hidden: fact(
      z.boolean(),
      'True to hide the status of the flight, for example after an accident; false or null shows it again.',
    ),
    returnedToGate: z
      .literal(true)
      .optional()
      .describe('The aircraft returned to its gate without taking off: actual `out` and `off` are deleted.'),
    diversions: z
      .array(diversion)
      .max(9)
      .refine(areDistinct, { error: 'must not contain a diversion number or diversion airport twice' })
      .optional()
      .describe('Diversions, each identified by its number or else by its airport.'),
    plan: plan.optional().describe('Plan of a flight that no schedule contains: at least one of its times is known.'),
  })
  .meta({
    title: 'Flight status message',
    description:
      'One line of a status feed. An absent member changes nothing, null deletes the previous value. Instants are from 1950 to 2099.',
  });

/** A validated message in its wire format. */
export type WireMessage = z.infer<typeof statusMessageSchema>;
