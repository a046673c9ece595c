import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findSharedData } from '#test/support/shared-data.ts';
import { applyForm, type FormClock, useFormWorld } from './form-world.ts';

const data = findSharedData('schedule-messages');
const read = (name: string): Promise<string> => readFile(join(data ?? '', name), 'latin1');

if (!data) console.warn('the shared data set is absent: schedule messages are tested on own inputs only');

type SharedForm = {
  readonly file: string;
  readonly clock?: FormClock;
  readonly changed?: readonly string[];
  readonly withdrawn?: readonly string[];
  readonly remarks?: readonly string[];
};

const forms: readonly SharedForm[] = [
  {
    file: '01-asm-rpl-day-in-time',
    clock: 'utc',
    changed: ['13DEC XU651 CDG2330 OUD0225/14DEC 320 180 seats cabin AT'],
  },
  {
    file: '02-asm-tim-day-in-time',
    clock: 'utc',
    changed: ['13DEC XU652 CDG2330 OUD0115/14DEC 320 162 seats'],
  },
  { file: '03-asm-cnl-one-leg', changed: ['05DEC XA801 BKK1530 HKG1930 767 162 seats Canceled'] },
  { file: '04-asm-eqt-one-leg', changed: ['05DEC XA802 BKK1530 HKG1930 330 280 seats'] },
  {
    file: '05-asm-flt-new-flight-on-line',
    changed: ['05DEC XA7660 ORY1910 CMN2115 73H 162 seats'],
    withdrawn: ['05DEC XA766 ORY1910 CMN2115 73H 162 seats'],
  },
  { file: '06-asm-day-alone', changed: ['02DEC XA767 ORY1910 CMN2115 73H 162 seats Canceled'] },
  {
    file: '07-ssm-skd-dates-without-days',
    changed: ['11JAN-29JAN (9) XA772 ORY1910 CMN2125 738 162 seats'],
    withdrawn: ['10JAN-31JAN (13) XA772 ORY1910 CMN2115 73H 162 seats'],
  },
  { file: '08-ssm-skd-open-end', withdrawn: ['10JAN-31JAN XA771 ORY1910 CMN2115 73H 162 seats'] },
  { file: '09-ssm-rev-period-on-flight-line', withdrawn: ['21JAN-31JAN XA768 ORY1910 CMN2115 73H 162 seats'] },
  {
    file: '10-ssm-element-on-flight-line',
    changed: ['01DEC-31DEC XA793 ORY0800 CMN1010 738 162 seats operator XB'],
  },
  { file: '11-ssm-two-periods-with-elements', changed: ['01DEC-31DEC XA795 ORY0800 CMN1010 738 162 seats'] },
  {
    file: '12-ssm-tim-two-groups',
    changed: ['07DEC-09DEC XA807 SIN1215 BKK1415 767 162 seats', '10DEC-12DEC XA807 SIN1230 BKK1430 767 162 seats'],
  },
  {
    file: '13-ssm-new-two-groups',
    changed: ['01DEC-15DEC XA796 ORY0800 CMN1010 738 162 seats', '16DEC-31DEC XA796 ORY0900 CMN1110 320 162 seats'],
  },
  {
    file: '14-asm-registration-on-equipment-line',
    clock: 'utc',
    changed: ['05DEC XU763 ORY1820 CMN2125 73H 159 seats cockpit AT cabin AT CNXAA'],
  },
  {
    file: '15-ssm-booking-classes-with-numbers',
    clock: 'utc',
    changed: ['04DEC-11DEC (2) XU765 ORY0140 CMN0440 332 299 seats owner HFM cockpit HFM cabin AT'],
  },
  {
    file: '16-ssm-elements-stay-on-their-legs',
    changed: [
      '01DEC-31DEC XA797 BKK1100 HKG1500 320 162 seats operator XC cockpit XC',
      '01DEC-31DEC XA797 SIN0800 BKK1000 738 162 seats operator XB cockpit XB',
    ],
  },
  {
    file: '17-ssm-eqt-elements-of-one-leg',
    changed: ['05DEC-12DEC (2) XA807 BKK1530 HKG1930 330 280 seats cockpit XC'],
  },
  {
    file: '18-ssm-list-over-two-lines',
    changed: [
      '20DEC XA766 ORY1910 CMN2115 73H 162 seats marketing XB1001/XC1002/XD1003/XE1004/XF1005/XG1006/XH1007/XI1008/XJ1009',
      ...['XB1001', 'XC1002', 'XD1003', 'XE1004', 'XF1005', 'XG1006', 'XH1007', 'XI1008', 'XJ1009'].map(
        (flight) => `20DEC ${flight} ORY1910 CMN2115 73H 162 seats operator XA`,
      ),
    ],
    remarks: ['XB', 'XC', 'XD', 'XE', 'XF', 'XG', 'XH', 'XI', 'XJ'].map((code) => `notice carrier-unknown ${code}`),
  },
  {
    file: '19-ssm-one-unreadable-one-good',
    changed: ['12DEC XA774 ORY1910 CMN2115 320 174 seats CNXAA'],
    withdrawn: ['12DEC XA775 ORY1910 CMN2115 73H 162 seats'],
  },
  // Days before yesterday are not served.
  { file: '20-ssm-no-year-period-begun', changed: ['24NOV-28MAR XA798 ORY0800 CMN1000 738 162 seats'] },
  {
    file: '21-ssm-frequency-after-blank',
    withdrawn: ['07DEC-21DEC (2) XA774 ORY1910 CMN2115 73H 162 seats'],
  },
  {
    file: '22-ssm-leg-change-after-equipment',
    changed: ['05DEC-12DEC (2) XA804 BKK1530 HKG1930 330 280 seats'],
  },
  {
    file: '25-asm-si-under-sub-message',
    changed: [
      '24DEC XA778 ORY1910 CMN2115 73H 162 seats Canceled',
      '24DEC XA779 ORY1910 CMN2115 73H 162 seats Canceled',
    ],
  },
];

describe.skipIf(data === undefined)('messages in the forms of senders', () => {
  useFormWorld(() => read('base.ssim'));

  test.each(forms)('$file', async ({ file, clock = 'local', changed = [], withdrawn = [], remarks = [] }) => {
    expect(await applyForm(await read(`${file}.txt`), { clock })).toEqual({
      changed,
      withdrawn,
      remarks,
      accepted: { messages: 1 },
    });
  });
});
