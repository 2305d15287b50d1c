import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Fails with what axe finds on the page, with all rules or those that are named. Nothing moves while axe looks, so that it does not measure a colour on its way. */
export async function hasNoViolations(page: Page, only?: readonly string[]): Promise<void> {
  await page.evaluate(async () => {
    await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)));
  });
  const axe = new AxeBuilder({ page });
  const { violations } = await (only === undefined ? axe.withTags(tags) : axe.withRules([...only])).analyze();
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}\n  ${target.join(' ')}\n  ${failureSummary ?? ''}`),
  );
  expect(found).toEqual([]);
}
