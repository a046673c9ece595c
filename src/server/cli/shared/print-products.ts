import { catalog } from '#generated/catalog.ts';
import type { LocalDate } from '#domain/time/dates.ts';
import { getStage } from '#http/router/version-lifecycle.ts';

/** Prints a line on standard output. */
export type PrintLine = (text: string) => void;

/** Prints the versions of each product that are served on a date. */
export const printProducts = (printLine: PrintLine, today: LocalDate): void => {
  for (const { title, versions } of catalog) {
    const served = versions.filter((one) => ['current', 'deprecated'].includes(getStage(one, today)));
    printLine(`${title} ${served.map(({ version }) => version).join(', ') || '(no version on this date)'}`);
  }
};
