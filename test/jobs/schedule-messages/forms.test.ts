import { describe, expect, test } from 'vitest';
import { buildCarrier, buildLeg, buildTrailer, buildWholeFile, header, times } from '#test/feeds/ssim/build-file.ts';
import { applyForm, useFormWorld } from './form-world.ts';
import { asmForms } from './forms/asm-forms.ts';
import { envelopeForms } from './forms/envelope-forms.ts';
import type { Form } from './forms/form.ts';
import { ssmForms } from './forms/ssm-forms.ts';

const forms: Readonly<Record<string, readonly Form[]>> = {
  ASM: asmForms,
  SSM: ssmForms,
  'around the sub-messages': envelopeForms,
};

const season = { 15: '01DEC26', 22: '31JAN27' };
const cmn = { 37: 'ORY', 48: '+0100', 55: 'CMN', 66: '+0100', 73: '73H', 76: 'CY', 173: 'C12Y150' };

/** Builds the legs of a flight of the base schedule by its number. */
const buildFlight = (carrier: string, number: string): readonly string[] => {
  const flight = { 3: carrier, 6: number.padStart(4, '0'), ...season };
  const asia = { 73: '767', 76: 'CY', 173: 'C12Y150' };
  switch (number[0]) {
    case '1':
      return [buildLeg(flight, cmn, times('1910', '2115'))];
    case '2':
      return [
        buildLeg(flight, asia, { 37: 'SIN', 48: '+0800', 55: 'BKK', 66: '+0700' }, times('1200', '1400')),
        buildLeg(flight, asia, { 12: '02', 37: 'BKK', 48: '+0700', 55: 'HKG', 66: '+0800' }, times('1530', '1930')),
      ];
    case '3':
      return [
        buildLeg(
          flight,
          { 37: 'CDG', 48: '+0100', 55: 'OUD', 66: '+0100', 73: '320', 76: 'CY', 173: 'C12Y150' },
          times('2210', '2355'),
        ),
      ];
    case '4':
      return [buildLeg(flight, cmn, { 29: '1      ' }, times('1910', '2115'))];
    default:
      return [];
  }
};

/** Builds the flights that the forms name. */
const buildBase = (): string => {
  const text = Object.values(forms)
    .flat()
    .flatMap(({ message }) => message)
    .join('\n');
  const named = [...new Set(text.match(/\b(?:XX|YY)[1-4]\d\d\b/g))].toSorted();
  const legsOf = (carrier: string): readonly string[] =>
    named.filter((name) => name.startsWith(carrier)).flatMap((name) => buildFlight(carrier, name.slice(2)));
  return buildWholeFile(
    header,
    buildCarrier({ 1: '2L', 3: 'XX ', ...season }),
    ...legsOf('XX'),
    buildTrailer('C', 'XX'),
    buildCarrier({ 1: '2U', 3: 'YY ', ...season }),
    ...legsOf('YY'),
    buildTrailer('E', 'YY'),
  );
};

useFormWorld(buildBase);

describe.each(Object.entries(forms))('%s', (_, ofKind) => {
  test.each(ofKind)(
    '$title ($source)',
    async ({ message, clock = 'local', changed = [], withdrawn = [], remarks = [], accepted = { messages: 1 } }) => {
      const effect = await applyForm(`${message.join('\n')}\n`, { clock });
      expect(effect).toEqual({ changed, withdrawn, remarks, accepted });
    },
  );
});
