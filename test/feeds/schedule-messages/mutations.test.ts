import { expect, test } from 'vitest';
import type { MessageElement, MessageLegEnd } from '#domain/schedule/messages/schedule-message.ts';
import type { SubMessage } from '#domain/schedule/messages/schedule-message.ts';
import { formatDate, type LocalDate } from '#domain/time/dates.ts';
import { listWeekdays, type Period } from '#domain/time/period.ts';
import { createRandom } from '#test/lib/seeded-random.ts';
import { mutate } from '../ssim/mutate.ts';
import { readText, receivedAt } from './read-message-text.ts';

/** Every run is reproducible: the seed is printed, and MUTATION_SEED and MUTATION_RUNS replace the defaults. */
const seed = Number(process.env['MUTATION_SEED'] ?? 20_260_601);
const runs = Number(process.env['MUTATION_RUNS'] ?? 2000);

const valid = [
  'QU LONSSXX\n.PARAAXX 011200\n=SMI\nSSM\nUTC\n20MAY26444E001/REF 1\nNEW\nX2101 3/X2\n01JUN26 28SEP26 135/W2\nJ 738 CY.C6Y174\nLHR0845 CDG1010\nCDG1100/0/1055 SIN0640/1\nLHRSIN 98/1\n//\nRPL XASM\nX2102\n01JUN 28SEP 2\nJ 320 .Y180\nAKL0900 HNL1945/M1\nQQQQQQ 10/BA117/IB4217A\nSI TEXT\n',
  'SSM\nLT\n20MAY26445E001\nREV\nX2101\n01JUN26 28SEP26 1\n02JUN26 29SEP26 2\n//\nFLT\nX2101\n01JUN26 28SEP26 3\nX2111A\n//\nTIM\nX2101\n01JUN26 28SEP26 5\nLHR0850 CDG1015\n',
  'ASM\nUTC\n20MAY26446E001\nEQT TECH/CREW\nX2544A/12JUN26\nX2545/13JUN26\nORD/LAS\nJ 789 .Y300\n//\nADM\nX2101/12JUN26\nORDLAS 99/NIL\n//\nRIN RTNS\nX2101/12JUN26\n',
  'SSM\nLT\n20MAY26447E001\nEQT\nX2101 4/XB\n01JUN26 28SEP26 135 /W2\nJ 320 C8Y162.VV582 GABCD\nLHR/CDG\nJ 789 J24Y275 5/XC\nCDG/SIN\n//\nREV\nX2102 01JUN26 28SEP26 1\n08JUN26 28SEP26 1 4/XB\nSI TEXT\n//\nSKD\nX2103\n01JUN26\n//\nTIM\nX2104\n01JUN26 28SEP26 1\nLHR0850 CDG1015\n02JUN26 00XXX00 2\nLHR0900 CDG1025\n',
  'ASM\nUTC\n/REF 5\nTIM\nX2101/13JUN26\nCDG132330 SIN141115\n//\nCNL\nX2102/13JUN26 LHR/CDG\nSI NOTE\nX2999/01JUN\n//\nFLT\nX2103/13JUN26 X2113/13JUN26 2/XB\n//\nRRT\nX2104/14 CDG/SIN\nJ 789 .Y300 GABCD\nCDG1100 SIN150640\n',
];

const months = 'JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC';
const formatDay = (date: LocalDate): string => {
  const [year = '', month = '', day = ''] = formatDate(date).split('-');
  return `${day}${months.slice(Number(month) * 3 - 3, Number(month) * 3)}${year.slice(2)}`;
};
const formatPeriod = ({ from, to, days, everyWeeks }: Period): string =>
  `${formatDay(from)} ${formatDay(to)} ${listWeekdays(days).join('')}${everyWeeks === 2 ? '/W2' : ''}`;
const formatClock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}${String(minutes % 60).padStart(2, '0')}`;
const formatEnd = ({ station, aircraftMinutes, passengerMinutes, dateVariation }: MessageLegEnd): string =>
  `${station} ${formatClock(aircraftMinutes)} ${dateVariation} ${formatClock(passengerMinutes)}`;
const formatElement = ({ dei, value = 'NIL', boardStation, offStation }: MessageElement): string =>
  `0${dei}/${value} ${value.replaceAll(/[ 0]/g, '')} ${boardStation}${offStation}`;

/** Lists what a message says, in a form that the tokens of its text can be compared with. */
const listFacts = (messages: readonly SubMessage[]): readonly string[] =>
  messages.flatMap(
    ({
      action,
      flight,
      periods,
      newPeriods,
      newFlight,
      legChange = [],
      legs,
      equipmentChanges,
      elements,
      reasons,
      withdrawsAdHoc,
    }) => [
      action,
      legChange.join('/'),
      ...reasons,
      ...(withdrawsAdHoc ? ['XASM'] : []),
      `${flight.carrier}${flight.flightNumber}${flight.suffix}`,
      ...(newFlight ? [`${newFlight.carrier}${newFlight.flightNumber}${newFlight.suffix}`] : []),
      ...[...periods, ...newPeriods].map(formatPeriod),
      ...legs.flatMap(({ departure, arrival, equipment }) => [
        ...(equipment ? [Object.values(equipment).join(' ')] : []),
        formatEnd(departure),
        formatEnd(arrival),
      ]),
      ...equipmentChanges.flatMap(({ stations, equipment }) => [
        stations.join('/'),
        Object.values(equipment).join(' '),
      ]),
      ...elements.map(formatElement),
    ],
  );

/** Returns the words of a text that state something and must appear among the facts: codes, numbers and times. */
const listWords = (text: string): readonly string[] => {
  const lines = text.split('\n').slice(1);
  let isProse = false;
  const body = lines.filter((line) => {
    isProse = line !== '//' && (isProse || /^SI(?: |$)/.test(line));
    return !isProse && !/^(?:UTC|LT|\/.*|\d{2}[A-Z]{3}\d{5}[CE]\d{3}.*)$/.test(line);
  });
  return body.flatMap((line) => line.split(/[ /.]/)).filter((word) => word !== '');
};

/** A word is accounted for when the facts contain it: as it is, or its station, time, flight and date apart. */
const isAccounted = (word: string, facts: string): boolean => {
  if (
    facts.includes(word) ||
    facts.includes(word.replaceAll('-', '')) ||
    /^(?:QQQ|QQ){2}$|^QQQ[A-Z]{3}$|^[A-Z]{3}QQQ$|^0+$|^00XXX00$|^W1$/.test(word)
  )
    return true;
  const parts = [
    /^([A-Z]{3})(?:\d{2})?(\d{4})$/,
    /^([A-Z]{3})([A-Z]{3})$/,
    /^([A-Z0-9]{2,3}?)0*(\d+[A-Z]?)$/,
    /^M(1)$/,
    /^(\d{2}[A-Z]{3})$/,
  ].map((pattern) => pattern.exec(word));
  return parts.some(
    (match) => match !== null && match.slice(1).every((part) => facts.includes(part) || /^[89]\d\d$/.test(part)),
  );
};

test(
  `${runs} corrupted messages are each read or rejected, never misread (seed ${seed})`,
  { timeout: 60_000 + 10 * runs },
  async () => {
    const random = createRandom(seed);
    const seen = { read: 0, rejected: 0 };
    const faults: string[] = [];
    for (let run = 0; run < runs; run += 1) {
      let text = random.pick(valid);
      for (let more = random.integer(1, 3); more > 0 && text !== ''; more -= 1) text = mutate(text, random);
      const lineCount = text.split('\n').length;
      for (const { line, part, entries, otherType, text: read } of await readText(text, receivedAt)) {
        const rejected = entries.filter(({ severity }) => severity === 'quarantined');
        for (const entry of entries)
          if (entry.line === undefined || entry.line > lineCount || !entry.field || !entry.message)
            faults.push(`run ${run}: a remark without a place: ${JSON.stringify(entry)}`);
        const isRead = part !== undefined && part.subMessages.length > 0;
        if (!isRead && rejected.length === 0 && otherType === undefined && entries.length === 0)
          faults.push(`run ${run}: line ${line} is neither read nor rejected`);
        seen.read += Number(isRead);
        seen.rejected += Number(rejected.length > 0);
        // ACK, NAC and RSD, and data elements between partners, state nothing that is read.
        if (!part || entries.length > 0) continue;
        const facts = listFacts(part.subMessages).join(' ');
        const lost = listWords(read).filter((word) => !isAccounted(word, facts));
        if (lost.length > 0 && !/ [89]\d\d\//.test(read))
          faults.push(`run ${run}: accepted without ${lost.join(' ')}: ${JSON.stringify(read)}`);
      }
    }
    expect(faults.slice(0, 5)).toEqual([]);
    expect(Math.min(seen.read, seen.rejected)).toBeGreaterThan(runs / 20);
  },
);
