import type { Itinerary, LegEnd, ScheduleLeg } from '#domain/schedule/schedule.ts';
import type { LoadedFile } from './build-file.ts';

/**
 * Verifies what the reader accepted, without sharing code with it: every value must be possible and equal that of its line in the file,
 * and every line must be accounted for. Returns the first error, or undefined.
 */
export const findError = (text: string, { schedules, itineraries, report }: LoadedFile): string | undefined => {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  if (lines.at(-1) === '') lines.pop();
  const carriers = schedules.map(({ carrier }) => carrier);
  if (new Set(carriers).size !== carriers.length) return 'a carrier appears twice';
  for (const { carrier, from, to, itineraries: itinerariesOfCarrier } of schedules) {
    if (!(Number.isInteger(from) && Number.isInteger(to) && from <= to)) return `validity of ${carrier}`;
    if (itinerariesOfCarrier.some(({ legs }) => legs.some((leg) => leg.carrier !== carrier)))
      return `a leg of another carrier in ${carrier}`;
  }
  for (const itinerary of itineraries) {
    const complaint =
      findItineraryError(itinerary) ??
      itinerary.legs.map((leg) => findLegError(leg, lines[leg.line - 1])).find((each) => each !== undefined);
    if (complaint !== undefined) return complaint;
  }
  return findCountError(lines.length, { schedules, itineraries, report, remarks: [] });
};

const findCountError = (lines: number, { itineraries, report }: LoadedFile): string | undefined => {
  const { itinerary: _, ...byLine } = report.accepted;
  const accepted = Object.values(byLine).reduce((sum, count) => sum + count, 0);
  const quarantined = report.entries.filter(({ severity }) => severity === 'quarantined').map(({ line }) => line);
  const twice = report.entries.filter(({ reason }) => reason === 'duplicate-leg').length;
  if (new Set(quarantined).size !== quarantined.length) return 'a line is quarantined twice';
  if (quarantined.some((line) => line === undefined || line < 1 || line > lines))
    return 'a quarantined line is not in the file';
  if (accepted + quarantined.length + twice !== lines)
    return `${lines} lines, but ${accepted} accepted, ${quarantined.length} quarantined, ${twice} duplicates`;
  const legLines = itineraries.flatMap(({ legs }) => legs.map(({ line }) => line));
  if (new Set(legLines).size !== legLines.length) return 'a line gave two legs';
  if (legLines.length !== (report.accepted['leg'] ?? 0)) return 'the count of legs is wrong';
  return undefined;
};

const digits = (value: number, width: number): string => String(value).padStart(width, '0');
const clock = (minutes: number): string => digits(Math.floor(minutes / 60), 2) + digits(minutes % 60, 2);
const utc = (leg: ScheduleLeg, end: LegEnd): number =>
  end.aircraftMinutes + 1440 * end.dateVariation - (leg.timeMode === 'local' ? end.utcVariationMinutes : 0);
const monthNames = 'JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC';
const dayText = (date: number): string => {
  const [year = '', month = '', day = ''] = new Date(date * 86_400_000).toISOString().slice(0, 10).split('-');
  return day + monthNames.slice(Number(month) * 3 - 3, Number(month) * 3) + year.slice(2);
};

const findLegEndError = (end: LegEnd, raw: string, latest: number): string | undefined => {
  if (!/^[A-Z]{3}$/.test(end.station)) return `station ${end.station}`;
  for (const minutes of [end.passengerMinutes, end.aircraftMinutes])
    if (!(Number.isInteger(minutes) && minutes >= 0 && minutes <= latest)) return `time ${minutes}`;
  const variation = end.utcVariationMinutes;
  if (variation % 15 !== 0 || variation < -720 || variation > 840) return `UTC variation ${variation}`;
  if (!(end.dateVariation >= -1 && end.dateVariation <= 7 && Number.isInteger(end.dateVariation)))
    return `date variation ${end.dateVariation}`;
  const sign = raw.slice(11, 12);
  const filed = (sign === '-' ? -1 : 1) * (Number(raw.slice(12, 14)) * 60 + Number(raw.slice(14, 16)));
  if (variation !== filed && variation + filed !== 0) return `UTC variation ${variation} is not that of '${raw}'`;
  return raw.startsWith(end.station) ? undefined : `station ${end.station} is not that of '${raw}'`;
};

const findLegError = (leg: ScheduleLeg, line: string | undefined): string | undefined => {
  if (line === undefined || !line.startsWith('3')) return `line ${leg.line} is no leg`;
  if (/[^ -~]/.test(line) || line.trimEnd().length > 200) return `line ${leg.line} is no record`;
  const raw = line.padEnd(200);
  const at = (from: number, to: number): string => raw.slice(from - 1, to);
  const name = `${leg.carrier}${digits(leg.flightNumber, 4)}${leg.suffix}`;
  if (name !== at(3, 5).trim() + at(6, 9).replaceAll(' ', '0') + at(2, 2).trim())
    return `designator ${name} is not that of line ${leg.line}`;
  if (!(leg.flightNumber >= 1 && leg.flightNumber <= 9999)) return `flight number ${leg.flightNumber}`;
  if (leg.itinerary < 1 || digits(leg.itinerary, 3) !== (at(128, 128) === ' ' ? '0' : at(128, 128)) + at(10, 11))
    return `variation ${leg.itinerary} of line ${leg.line}`;
  if (leg.sequence < 1 || digits(leg.sequence, 2) !== at(12, 13)) return `sequence ${leg.sequence}`;
  if (!/^[A-Z]$/.test(leg.serviceType) || leg.serviceType !== at(14, 14)) return `service type ${leg.serviceType}`;
  const { from, to, days, everyWeeks } = leg.period;
  const shift = leg.departure.dateVariation;
  for (const [date, text] of [
    [from, at(15, 21)],
    [to, at(22, 28)],
  ] as const) {
    if (text !== '00XXX00' && text !== dayText(date) && text !== dayText(date - shift))
      return `date ${dayText(date)} is not that of '${text}'`;
  }
  if (!(from <= to && days >= 1 && days <= 127 && (everyWeeks === 1 || everyWeeks === 2)))
    return `period of line ${leg.line}`;
  const operates = Array.from({ length: Math.min(14, to - from + 1) }, (_, index) => from + index).some(
    (date) =>
      days & (1 << ((new Date(date * 86_400_000).getUTCDay() + 6) % 7)) && (everyWeeks === 1 || date - from < 7),
  );
  if (!operates) return `line ${leg.line} never operates`;
  const departure = findLegEndError(leg.departure, at(37, 52), 1439);
  if (departure !== undefined) return departure;
  const arrival = findLegEndError(leg.arrival, at(55, 70), 1440);
  if (arrival !== undefined) return arrival;
  const times =
    [leg.departure.passengerMinutes, leg.departure.aircraftMinutes].map(clock).join('') +
    [leg.arrival.aircraftMinutes, leg.arrival.passengerMinutes].map(clock).join('');
  if (times !== at(40, 47) + at(58, 65)) return `times ${times} are not those of line ${leg.line}`;
  const elapsed = utc(leg, leg.arrival) - utc(leg, leg.departure);
  if (elapsed <= 0 || elapsed >= 1440) return `line ${leg.line} lasts ${elapsed} minutes`;
  const lead = (end: LegEnd): number => ((((end.passengerMinutes - end.aircraftMinutes) % 1440) + 2160) % 1440) - 720;
  const forPassengers = elapsed + lead(leg.arrival) - lead(leg.departure);
  if (forPassengers <= 0 || forPassengers >= 1440)
    return `line ${leg.line} lasts ${forPassengers} minutes for passengers`;
  for (const [variation, text] of [
    [leg.departure.dateVariation, at(193, 193)],
    [leg.arrival.dateVariation, at(194, 194)],
  ] as const) {
    if (text !== ' ' && text !== (variation === -1 ? 'A' : String(variation)))
      return `date variation ${variation} is not '${text}'`;
  }
  return /^[A-Z0-9]{3}$/.test(leg.equipment) ? undefined : `equipment ${leg.equipment}`;
};

const originDates = ({ period: { from, to, days, everyWeeks }, departure }: ScheduleLeg): string =>
  Array.from({ length: to - from + 1 }, (_, index) => index)
    .filter((index) => days & (1 << ((from + index + 3) % 7)) && (everyWeeks === 1 || index % 14 < 7))
    .map((index) => from + index - departure.dateVariation)
    .join(' ');

const findItineraryError = ({ legs, segmentData, complete }: Itinerary): string | undefined => {
  const [first] = legs;
  for (const [index, leg] of legs.entries()) {
    const variation = ({ carrier, flightNumber, suffix, itinerary }: ScheduleLeg): string =>
      [carrier, flightNumber, suffix, itinerary].join('/');
    if (variation(leg) !== variation(first)) return 'legs of two flights in one itinerary';
    if (complete && leg.sequence !== index + 1) return 'a complete itinerary whose legs are not numbered from 1';
    const previous = legs[index - 1];
    if (previous === undefined) continue;
    if (previous.arrival.station !== leg.departure.station) return 'an itinerary whose legs do not chain';
    if (utc(leg, leg.departure) < utc(previous, previous.arrival)) return 'an itinerary whose legs overlap in time';
    if (originDates(leg) !== originDates(first)) return 'an itinerary of several origin dates';
  }
  for (const data of segmentData) {
    if (data.dei < 1 || data.dei >= 800) return `element ${data.dei} attached`;
    if (data.boardStation !== '' && !legs.some((leg) => leg.departure.station === data.boardStation))
      return 'data of a board point elsewhere';
    if (data.offStation !== '' && !legs.some((leg) => leg.arrival.station === data.offStation))
      return 'data of an off point elsewhere';
  }
  return undefined;
};
