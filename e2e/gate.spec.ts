import { expect, test, usualSetup } from './fixtures.ts';

// What the browser says of refused requests, and of pages that are not ours.
const expected = [/Failed to load resource/, /WebSocket connection to .* failed/, /blocked by CORS policy/];
test.use({ setup: { ...usualSetup, expected } });

test('a browser without the entry link reads what to do', async ({ app, browser }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const answer = await page.goto(`http://127.0.0.1:${app.port()}/`);
  expect(answer?.status()).toBe(403);
  await expect(page.getByRole('heading')).toHaveText('This browser has not entered');
  await context.close();
});

test('the entry link works once, and the browser stays in over a restart of the console', async ({
  page,
  app,
  browser,
}) => {
  await expect(page).toHaveURL(new RegExp(`^http://127.0.0.1:${app.port()}/(?!enter)`));
  const context = await browser.newContext();
  const second = await context.newPage();
  expect((await second.goto(app.entry()))?.status()).toBe(403);
  await context.close();
  await page.goto('about:blank');
  await app.restart();
  expect((await page.goto(`http://127.0.0.1:${app.port()}/`))?.status()).toBe(200);
});

test('another page on this machine gets neither the page nor the wire', async ({ page, app, service }) => {
  // The service's own origin is another port of this machine: the same site, but not our page.
  await page.goto(`${service.url}/`);
  const outcome = await page.evaluate(async (port) => {
    const wire = new WebSocket(`ws://127.0.0.1:${port}/wire`);
    const opened = await new Promise((resolve) => {
      wire.addEventListener('open', () => resolve(true));
      wire.addEventListener('error', () => resolve(false));
    });
    const read = await fetch(`http://127.0.0.1:${port}/`, { credentials: 'include' }).then(
      () => true,
      () => false,
    );
    return { opened, read };
  }, app.port());
  expect(outcome).toEqual({ opened: false, read: false });
});
