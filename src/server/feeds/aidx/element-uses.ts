import type { ReportEntry } from '../load-report.ts';
import type { XmlElement } from './xml-elements.ts';

/**
 * What becomes of an element or attribute: it is `taken` into the status, `read` to identify or select what is taken, or `ignored`. Elements
 * within an ignored one are ignored with it.
 */
type ElementUse = { readonly use: 'taken' | 'read' | 'ignored'; readonly note: string };

const taken = (note: string): ElementUse => ({ use: 'taken', note });
const read = (note: string): ElementUse => ({ use: 'read', note });
const ignored = (note: string): ElementUse => ({ use: 'ignored', note });

const envelope = ignored('it is about the transmission of the message');
const noProperty = ignored('the status of a flight has no property for it');
const ofSchedule = ignored('it is part of the schedule, which schedule loads provide');
const position = read('the order in the document counts');
const codes = read('the form of a code shows its code set');

/**
 * The use of each element and attribute of AIDX, by its path below the message; `docs/reference/aidx.md` is generated from it. Elements that
 * are not listed are unknown, and reported as such.
 */
export const elementUses: Readonly<Record<string, ElementUse>> = {
  '': read('the message'),
  '@Version': read('21.3 and 22.1 are supported; another one is reported'),
  '@TimeStamp': taken('`observedAt`'),
  '@Target': read('a message for tests is rejected'),
  '@CorrelationID': envelope,
  '@EchoToken': envelope,
  '@TransactionIdentifier': envelope,
  '@TransactionStatusCode': envelope,
  '@SequenceNmbr': envelope,
  '@RetransmissionIndicator': envelope,
  '@AsynchronousAllowedInd': envelope,
  '@PrimaryLangID': envelope,
  '@AltLangID': envelope,
  '@CodeContext': codes,
  Originator: envelope,
  DeliveringSystem: envelope,
  Success: envelope,
  Warnings: envelope,
  FlightLeg: read('one status message'),
  'FlightLeg/LegIdentifier': read('the flight'),
  'FlightLeg/LegIdentifier/Airline': taken('`flight.carrier`'),
  'FlightLeg/LegIdentifier/Airline@CodeContext': codes,
  'FlightLeg/LegIdentifier/FlightNumber': taken('`flight.flightNumber`'),
  'FlightLeg/LegIdentifier/OperationalSuffix': taken('`flight.suffix`'),
  'FlightLeg/LegIdentifier/DepartureAirport': taken('`flight.departureAirport`'),
  'FlightLeg/LegIdentifier/DepartureAirport@CodeContext': codes,
  'FlightLeg/LegIdentifier/ArrivalAirport': taken('`flight.arrivalAirport`'),
  'FlightLeg/LegIdentifier/ArrivalAirport@CodeContext': codes,
  'FlightLeg/LegIdentifier/OriginDate': taken('`flight.originDate`, UTC or local; 2000-01-01 is absent'),
  'FlightLeg/LegIdentifier/RepeatNumber': read(
    'a later attempt to depart, after a return to the gate, is the same flight',
  ),
  'FlightLeg/LegIdentifier/RepeatNumber@CurrentInd': read('a leg that a later attempt replaced is quarantined'),
  'FlightLeg/LegIdentifier/RepeatNumber@AirborneReturnNumber': read('a leg after a return from the air is quarantined'),
  'FlightLeg/SpecialAction': taken('`Delete`: `cancelled` is true; `LockDown`, `DoNotDisplay`: `hidden` is true'),
  'FlightLeg/LegData': read('the facts'),
  'FlightLeg/LegData@InternationalStatus': ofSchedule,
  'FlightLeg/LegData/OperationalStatus': taken('`cancelled`, `returnedToGate`, `diversions`'),
  'FlightLeg/LegData/OperationalStatus@RepeatIndex': position,
  'FlightLeg/LegData/OperationalStatus@FlightLegScope': ignored('a status is about the whole leg'),
  'FlightLeg/LegData/OperationalStatus@CodeContext': codes,
  'FlightLeg/LegData/PlannedArrivalAptHistory': taken('`diversions.airport`, if the status is `DV` or `RT`'),
  'FlightLeg/LegData/PlannedArrivalAptHistory@RepeatIndex': read('the last one counts'),
  'FlightLeg/LegData/PlannedArrivalAptHistory@CodeContext': codes,
  'FlightLeg/LegData/OperationTime': taken('times, see above; `SCT` identifies the flight'),
  'FlightLeg/LegData/OperationTime@OperationQualifier': read('the event'),
  'FlightLeg/LegData/OperationTime@TimeType': read('the kind of time'),
  'FlightLeg/LegData/OperationTime@RepeatIndex': position,
  'FlightLeg/LegData/OperationTime@CodeContext': codes,
  'FlightLeg/LegData/AirportResources': read('the resources'),
  'FlightLeg/LegData/AirportResources@Usage': read('`Planned`: `planned`, which counts while no actual value is known'),
  'FlightLeg/LegData/AirportResources/Resource': read('the resources at one end of the leg'),
  'FlightLeg/LegData/AirportResources/Resource@DepartureOrArrival': read('the end of the leg'),
  'FlightLeg/LegData/AirportResources/Resource/PassengerGate': taken('`departure.gate`, `arrival.gate`'),
  'FlightLeg/LegData/AirportResources/Resource/PassengerGate@RepeatIndex': position,
  'FlightLeg/LegData/AirportResources/Resource/PublicTerminal': taken('`departure.terminal`, `arrival.terminal`'),
  'FlightLeg/LegData/AirportResources/Resource/PublicTerminal@RepeatIndex': position,
  'FlightLeg/LegData/AirportResources/Resource/AircraftTerminal': taken(
    '`departure.terminal`, `arrival.terminal`, without a `PublicTerminal`',
  ),
  'FlightLeg/LegData/AirportResources/Resource/BaggageClaimUnit': taken('`arrival.baggage`'),
  'FlightLeg/LegData/AirportResources/Resource/BaggageClaimUnit@RepeatIndex': position,
  'FlightLeg/LegData/AirportResources/Resource/BaggageClaimUnit@OpenTime': noProperty,
  'FlightLeg/LegData/AirportResources/Resource/BaggageClaimUnit@CloseTime': noProperty,
  'FlightLeg/LegData/AirportResources/Resource/BaggageClaimUnit@AreaLocation': noProperty,
  'FlightLeg/LegData/AirportResources/Resource/BaggageClaimUnit@Qualifier': noProperty,
  'FlightLeg/LegData/AirportResources/Resource/BaggageClaimUnit@ServiceClass': noProperty,
  'FlightLeg/LegData/AirportResources/Resource/CheckInInfo': read('a range of counters'),
  'FlightLeg/LegData/AirportResources/Resource/CheckInInfo@RepeatIndex': position,
  'FlightLeg/LegData/AirportResources/Resource/CheckInInfo@OpenTime': noProperty,
  'FlightLeg/LegData/AirportResources/Resource/CheckInInfo@CloseTime': noProperty,
  'FlightLeg/LegData/AirportResources/Resource/CheckInInfo@Class': noProperty,
  'FlightLeg/LegData/AirportResources/Resource/CheckInInfo@Location': noProperty,
  'FlightLeg/LegData/AirportResources/Resource/CheckInInfo@Qualifier': noProperty,
  'FlightLeg/LegData/AirportResources/Resource/CheckInInfo/FirstPosition': taken('`departure.checkInCounter`'),
  'FlightLeg/LegData/AirportResources/Resource/CheckInInfo/LastPosition': taken('`departure.checkInCounter`'),
  'FlightLeg/LegData/AirportResources/Resource/AircraftParkingPosition': taken('`departure.stand`, `arrival.stand`'),
  'FlightLeg/LegData/AirportResources/Resource/AircraftParkingPosition@RepeatIndex': position,
  'FlightLeg/LegData/AirportResources/Resource/AircraftParkingPosition@Qualifier': noProperty,
  'FlightLeg/LegData/AirportResources/Resource/AirportZone': noProperty,
  'FlightLeg/LegData/AirportResources/Resource/BaggageMakeupBelt': ignored('it is of no use to passengers'),
  'FlightLeg/LegData/AirportResources/Resource/BaggageMakeUpBelt': ignored('it is of no use to passengers'),
  'FlightLeg/LegData/AirportResources/Resource/Runway': noProperty,
  'FlightLeg/LegData/AirportResources/Resource/DeIceLocation': noProperty,
  'FlightLeg/LegData/AirportResources/Resource/RemoteOperationalGate': noProperty,
  'FlightLeg/LegData/AirportResources/Resource/RemoteOperationalStand': noProperty,
  'FlightLeg/LegData/AirportResources/Resource/PreClearedGateInd': noProperty,
  'FlightLeg/LegData/AirportResources/Resource/PaxBusInd': noProperty,
  'FlightLeg/LegData/AirportResources/Resource/CrewBusInd': noProperty,
  'FlightLeg/LegData/AircraftInfo': read('the aircraft'),
  'FlightLeg/LegData/AircraftInfo/Registration': taken('`aircraft.registration`'),
  'FlightLeg/LegData/AircraftInfo/AircraftType': taken('`aircraft.type`: three characters are `iata`, others `icao`'),
  'FlightLeg/LegData/AircraftInfo/AircraftType@CodeContext': codes,
  'FlightLeg/LegData/AircraftInfo/AircraftSubType': taken('`aircraft.type.iata`; takes precedence over `AircraftType`'),
  'FlightLeg/LegData/AircraftInfo/AircraftSubType@CodeContext': codes,
  'FlightLeg/LegData/AircraftInfo/CallSign': noProperty,
  'FlightLeg/LegData/AircraftInfo/TailNumber': ignored('it is often a part of the registration only'),
  'FlightLeg/LegData/AircraftInfo/FleetNumber': noProperty,
  'FlightLeg/LegData/AircraftInfo/AgentInfo': noProperty,
  'FlightLeg/LegData/AircraftInfo/CrewInfo': noProperty,
  'FlightLeg/LegData/AircraftInfo/Baggage': noProperty,
  'FlightLeg/LegData/AircraftInfo/DeadLoad': noProperty,
  'FlightLeg/LegData/AircraftInfo/Fuel': noProperty,
  'FlightLeg/LegData/AircraftInfo/OwnerAirline': ofSchedule,
  'FlightLeg/LegData/ServiceType': ofSchedule,
  'FlightLeg/LegData/CodeShareInfo': ofSchedule,
  'FlightLeg/LegData/OwnerAirline': ofSchedule,
  'FlightLeg/LegData/FlightCrewAirline': ofSchedule,
  'FlightLeg/LegData/CabinCrewAirline': ofSchedule,
  'FlightLeg/LegData/AssociatedFlightLegSchedule': ofSchedule,
  'FlightLeg/LegData/AssociatedFlightLegAircraft': noProperty,
  'FlightLeg/LegData/CabinClass': noProperty,
  'FlightLeg/LegData/IrregularityDelay': noProperty,
  'FlightLeg/LegData/OperationDuration': noProperty,
  'FlightLeg/LegData/EstFlightDuration': noProperty,
  'FlightLeg/LegData/ClearanceAgreement': noProperty,
  'FlightLeg/LegData/PublicStatus': ignored('AIDX has deprecated it'),
  'FlightLeg/LegData/PublicFlightDisplay': ofSchedule,
  'FlightLeg/LegData/RemarkTextCode': ignored('it is for display only'),
  'FlightLeg/LegData/RemarkFreeText': ignored('it is for display only'),
  'FlightLeg/LegData/SpecialEmphasis': noProperty,
  'FlightLeg/LegData/SpecialCargo': noProperty,
  'FlightLeg/LegData/TechnicalStopInd': noProperty,
  'FlightLeg/LegData/OperatingAlliance': noProperty,
  'FlightLeg/LegData/SharedAlliance': noProperty,
  'FlightLeg/LegData/InflightService': ofSchedule,
  'FlightLeg/LegData/InflightMealService': ofSchedule,
  'FlightLeg/LegData/DepSecurityCheckInd': noProperty,
  'FlightLeg/LegData/ArrSecurityCheckInd': noProperty,
  'FlightLeg/TPA_Extension': ignored('extensions are agreed between two parties'),
  TPA_Extension: ignored('extensions are agreed between two parties'),
};

const unknownElement = ignored('it is unknown');

const findUse = (path: string): ElementUse =>
  (Object.hasOwn(elementUses, path) ? elementUses[path] : undefined) ?? unknownElement;

/** Elements and attributes that were not taken, with how often and where they appeared first. */
type NotTaken = { readonly entry: ReportEntry; count: number };

const MAX_PATHS = 500;
const MAX_VALUE_LENGTH = 80;

/** Collects what is not taken of a message: a remark for each path, with the number of its occurrences. */
export class ElementTally {
  readonly #notTaken = new Map<string, NotTaken>();
  /** Those beyond the limit of paths: a message can invent any number of names. */
  readonly #others: NotTaken = {
    entry: { severity: 'notice', value: '', reason: 'not-taken', message: 'further elements and attributes' },
    count: 0,
  };

  /** Adds what is not taken of an element and all below it. */
  add(element: XmlElement, path: string): void {
    const use = element.isForeign ? ignored('it is of another namespace') : findUse(path);
    if (use.use === 'ignored') return this.addNote(path, element, use.note);
    const isEmpty = element.text === '' && element.children.length === 0 && !element.isNil;
    if (use.use === 'taken' && isEmpty) this.addNote(path, element, 'it is empty; xsi:nil="true" withdraws a value');
    for (const [name, value] of element.attributes) {
      const ofAttribute = findUse(`${path}@${name}`);
      if (ofAttribute.use === 'ignored')
        this.addNote(`${path}@${name}`, { line: element.line, text: value }, ofAttribute.note);
    }
    for (const child of element.children) this.add(child, path === '' ? child.name : `${path}/${child.name}`);
  }

  /** Adds one occurrence of what is not taken. */
  addNote(path: string, { line, text }: Pick<XmlElement, 'line' | 'text'>, note: string): void {
    const known = this.#notTaken.get(path) ?? (this.#notTaken.size < MAX_PATHS ? undefined : this.#others);
    const value = text.slice(0, MAX_VALUE_LENGTH);
    if (known) known.count += 1;
    else
      this.#notTaken.set(path, {
        entry: { severity: 'notice', line, field: path, value, reason: 'not-taken', message: note },
        count: 1,
      });
  }

  /** Returns the remarks. */
  list(): readonly ReportEntry[] {
    const all = [...this.#notTaken.values(), ...(this.#others.count > 0 ? [this.#others] : [])];
    return all.map(({ entry, count }) => ({
      ...entry,
      message: `${entry.message}${count > 1 ? `; it appears ${count} times` : ''}`,
    }));
  }
}
