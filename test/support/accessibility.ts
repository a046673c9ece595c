import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Checks a page with axe-core; returns a line for each element that violates WCAG 2.2 AA, without the rules in `except`. */
export const listViolations = async (page: Page, except: readonly string[] = []): Promise<readonly string[]> => {
  // The debugger evaluates it, so that the Content Security Policy of the page stays in force.
  await page.evaluate(script);
  const { violations }: AxeResults = await page.evaluate(`axe.run(document, { runOnly: ${JSON.stringify(tags)} })`);
  const failed = violations.filter(({ id }) => !except.includes(id));
  return failed.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id} ${target.join(' ')} ${failureSummary.split('\n')[1] ?? ''}`),
  );
};
