import { z } from 'zod';
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
    out: fact(instant, `Leaving the block: the aircraft ${verb} out of the gate. Null takes it back.`),
    off: fact(instant, `Take-off: the aircraft ${verb} off the ground, not before \`out\`. Null takes it back.`),
  });

const arrivalEvents = (verb: string) =>
  z.strictObject({
    on: fact(instant, `Touchdown: the aircraft ${verb} on the ground. Null takes it back.`),
    in: fact(instant, `On block: the aircraft ${verb} in the gate, not before \`on\`. Null takes it back.`),
  });

const departureTimes = {
  estimated: departureEvents('is expected').optional().describe('When it is expected to leave.'),
  actual: departureEvents('was').optional().describe('When it left.'),
};

const arrivalTimes = {
  estimated: arrivalEvents('is expected').optional().describe('When it is expected to arrive.'),
  actual: arrivalEvents('was').optional().describe('When it arrived.'),
};

const aircraftType = z.strictObject({
  iata: iataType.optional().describe('IATA code of the type. Absent when it is not known.'),
  icao: icaoType.optional().describe('ICAO designator of the type. Absent when it is not known.'),
});

const departureDate = date.describe('Local date of scheduled departure at the departure airport.');

/** The forms of a flight reference, distinguished by their first member. */
const flight = z
  .union(
    [
      z
        .strictObject({
          carrier: carrierCode.describe('IATA (2 characters) or ICAO (3) code of the carrier in the designator.'),
          flightNumber: z.int().min(0).max(9999).describe('Number of the designator.'),
          suffix: letter.optional().describe('Operational suffix of the designator. Absent when there is none.'),
          originDate: date.describe('Local date on which the flight leaves its first station, whichever leg is meant.'),
          departureAirport: airportCode.describe('Where this leg is scheduled to depart: IATA, ICAO or FAA code.'),
          arrivalAirport: airportCode
            .optional()
            .describe('Where this leg is scheduled to arrive, not where it was diverted to. Absent when not known.'),
        })
        .describe('By designator, date and airport.'),
      z
        .strictObject({ statusKey: key.describe('The `statusKey` this service gave the flight.'), departureDate })
        .describe('By status key.'),
      z
        .strictObject({
          scheduleInstanceKey: key.describe('The `scheduleInstanceKey` this service gave the flight.'),
          departureDate,
        })
        .describe('By schedule instance key.'),
    ],
    { error: 'must name a flight by carrier and flightNumber, by statusKey or by scheduleInstanceKey' },
  )
  .meta({ id: 'Flight' });

/** A landing is identified across messages by its number, else by the airport code. */
const diversion = z
  .strictObject({
    number: z.int().min(1).max(9).optional().describe('Counts the diversions of a flight, the first is 1.'),
    airport: fact(
      airportCode,
      'Where the aircraft goes instead, or the departure airport after a return in the air: IATA, ICAO or FAA code. ' +
        'Absent while not known; null, with a number, takes the whole diversion back.',
    ),
    type: fact(
      z.enum(['Undefined', 'Unplanned', 'InAirReturn', 'TechnicalStop']),
      'What kind of diversion it is. Absent leaves it to the service; null takes it back.',
    ),
    ...arrivalTimes,
    continues: fact(
      z.boolean(),
      'True when the flight goes on from there under its own designator, false when it ends there; null when that is open again.',
    ),
    onward: z.strictObject(departureTimes).optional().describe('Going on from there under the same designator.'),
  })
  .refine(({ number, airport }) => number !== undefined || typeof airport === 'string', {
    error: 'must have a number or an airport to be known by',
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

const plan = z.strictObject({
  flightType: z
    .enum(['Unscheduled', 'GA'])
    .describe('`GA` for general and business aviation, `Unscheduled` for any other flight outside of a schedule.'),
  departs: z
    .strictObject({
      airport: airportCode.describe('IATA, ICAO or FAA code.'),
      at: instant.describe('When it is planned to leave.'),
    })
    .describe('Where and when the flight is planned to depart.'),
  arrives: z
    .strictObject({
      airport: airportCode.describe('IATA, ICAO or FAA code.'),
      at: instant.optional().describe('When it is planned to arrive, not before it departs. Absent when not known.'),
    })
    .describe('Where and when the flight is planned to arrive.'),
  serviceType: letter.optional().describe('IATA service type, e.g. `D` for general aviation. Absent when not known.'),
  aircraftType: aircraftType.optional().describe('The type that is planned. Absent when not known.'),
  recovers: flight
    .optional()
    .describe('Of a recovery flight: the flight whose passengers it takes on. Absent on all others.'),
});

/** One line of a status feed. Unknown members are rejected, so that a misspelt name is not silently ignored. */
export const statusMessageSchema = z
  .strictObject({
    messageId: messageId.describe(
      "The source's own name of this message, unique for ever. Sent again, it changes nothing.",
    ),
    observedAt: instant.describe(
      'When the source knew this, to the millisecond. The later of two messages counts, in whatever order they come.',
    ),
    source: sourceName.optional().describe('Who says so. Absent means `feed`.'),
    flight: flight.describe('The flight this message speaks of.'),
    departure: z
      .strictObject({
        ...departureTimes,
        terminal: fact(signText, 'Terminal of departure. Null takes it back.'),
        gate: fact(signText, 'Gate of departure. Null takes it back.'),
        checkInCounter: fact(signText, 'Check-in counter or row. Null takes it back.'),
      })
      .optional()
      .describe('At the airport of scheduled departure.'),
    arrival: z
      .strictObject({
        ...arrivalTimes,
        terminal: fact(signText, 'Terminal of arrival. Null takes it back.'),
        gate: fact(signText, 'Gate of arrival. Null takes it back.'),
        baggage: fact(signText, 'Baggage belt. Null takes it back.'),
      })
      .optional()
      .describe('At the airport of scheduled arrival.'),
    aircraft: z
      .strictObject({
        registration: fact(registration, 'Registration, with or without hyphens. Null takes it back.'),
        type: fact(aircraftType, 'The type that flies. Null takes it back.'),
      })
      .optional()
      .describe('The aircraft that flies.'),
    seats: fact(
      z.strictObject({
        firstClass: seatCount.optional().describe('Seats in first class.'),
        businessClass: seatCount.optional().describe('Seats in business class.'),
        premiumEconomyClass: seatCount.optional().describe('Seats in premium economy.'),
        economyPlusClass: seatCount.optional().describe('Seats in economy with more room.'),
        economyClass: seatCount.optional().describe('Seats in economy.'),
        totalSeats: seatCount.optional().describe('Seats in all cabins.'),
      }),
      'Seats of the aircraft that flies, all that are known at once; absent cabins are not known. Null takes them back.',
    ),
    cancelled: fact(z.boolean(), 'True on cancellation, false on reinstatement; null takes back what was said.'),
    proposed: fact(z.boolean(), 'True while a business flight is filed and not begun; null takes back what was said.'),
    returnedToGate: z
      .literal(true)
      .optional()
      .describe('The aircraft came back to its gate without taking off: actual `out` and `off` are taken back.'),
    diversions: z
      .array(diversion)
      .max(9)
      .refine(areDistinct, { error: 'must not list a diversion twice, by its number or its airport' })
      .optional()
      .describe('Landings elsewhere than scheduled, each known by its number or else by its airport.'),
    plan: plan.optional().describe('What the flight is, when no schedule holds it.'),
  })
  .meta({
    title: 'Flight status message',
    description:
      'One line of a status feed. An absent member says nothing, null takes back what was said before. Instants lie from 1950 to 2099.',
  });

/** A validated message in its wire format. */
export type WireMessage = z.infer<typeof statusMessageSchema>;
