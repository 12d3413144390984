// Opens a report as its reader does: sees the verdict, filters, unfolds the failure and reads the difference.
// Arguments: the page. Variables: CHROMIUM and PLAYWRIGHT say where these are, PICTURE where a picture is wanted.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { argv, env } from 'node:process';
import { pathToFileURL } from 'node:url';

const { chromium } = await import(pathToFileURL(env.PLAYWRIGHT));
const address = pathToFileURL(argv[2]).href;
const thatBroke = 'the shopping list is read';
// Without these it talks to its maker on its own account, which a test has no use for.
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
const browser = await chromium.launch({ executablePath: env.CHROMIUM, args: quiet });
try {
  await read();
  await readByKeyboard();
  await readWithoutScript();
  await fits();
  if (env.PICTURE) await takePicture();
} finally {
  await browser.close();
}

// A page whose every complaint and every request fails the test.
async function opened(options, use) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const trouble = [];
  page.on('console', (message) => trouble.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => trouble.push(`error: ${error}`));
  page.on('request', (request) => request.url() === address || trouble.push(`request: ${request.url()}`));
  await page.goto(address);
  await use(page);
  await context.close();
  assert.deepEqual(trouble, []);
}

function shownCases(page) {
  return page.locator('.case:visible');
}

async function read() {
  await opened({ viewport: { width: 1100, height: 800 } }, async (page) => {
    assert.match(await page.locator('h1').innerText(), /1 regression in 8 cases/);
    assert.match(await page.getByText('first in line 5').first().innerText(), /expected `- a pound of butter`/);
    assert.equal(await shownCases(page).count(), 8);
    assert.match(await shownCases(page).first().innerText(), new RegExp(thatBroke), 'what broke comes first');
    assert.equal(await page.locator('.case[open]').count(), 0, 'what is not asked for is folded');

    await page.getByRole('button', { name: 'regressed 1' }).click();
    assert.equal(await shownCases(page).count(), 1);
    await page.getByRole('button', { name: 'all 8' }).click();
    await page.getByRole('searchbox', { name: 'find' }).fill('butter');
    assert.equal(await page.locator('#shown').innerText(), '3 of 8 shown', 'outputs are searched too');
    await page.getByRole('searchbox', { name: 'find' }).fill('pound');
    assert.equal(await page.locator('#shown').innerText(), '1 of 8 shown');

    const failed = shownCases(page).first();
    await failed.locator('summary').first().click();
    const difference = failed.locator('pre.diff');
    await difference.waitFor();
    assert.deepEqual(await difference.locator('del').allInnerTexts(), ['--- expected', '-- a pound of butter', '-- apples']);
    assert.deepEqual(await difference.locator('ins').allInnerTexts(), ['+++ found', '+- 500 g of butter']);

    await page.getByRole('searchbox', { name: 'find' }).fill('notes are counted');
    await shownCases(page).locator('summary').first().click();
    assert.equal(await shownCases(page).locator('.step h3 .spark').getAttribute('role'), 'img');
    await page.getByRole('heading', { name: 'latency' }).click();
    assert.equal(await page.getByRole('row', { name: 'count_notes' }).locator('.spark').count(), 1);
    assert.equal(await page.getByRole('row', { name: 'count_notes' }).getByRole('cell').nth(1).innerText(), '6');
  });
}

// From the link in the overview to the difference without a mouse; nothing lies over what is led to.
async function readByKeyboard() {
  await opened({ viewport: { width: 1100, height: 600 } }, async (page) => {
    await page.getByRole('button', { name: 'passed 6' }).focus();
    await page.keyboard.press('Enter');
    assert.equal(await shownCases(page).count(), 6);

    await page.getByRole('link', { name: thatBroke }).focus();
    await page.keyboard.press('Enter');
    const failed = page.locator('.case:target');
    // Unfolded, though the filter hid it; a browser follows a link in its own time.
    await failed.locator('pre.diff').waitFor();
    const summary = failed.locator('summary').first();
    assert.ok(await summary.evaluate((it) => it === document.activeElement), 'the keyboard goes on from there');
    const isOnTop = (it) => {
      const { x, y } = it.getBoundingClientRect();
      return it.contains(document.elementFromPoint(x + 30, y + 5));
    };
    assert.ok(await summary.evaluate(isOnTop), 'the filter does not cover it');
    await page.keyboard.press('Enter');
    await failed.locator('pre.diff').waitFor({ state: 'hidden' });
    await page.keyboard.press('Space');
    await failed.locator('pre.diff').waitFor();
  });
}

async function readWithoutScript() {
  await opened({ javaScriptEnabled: false }, async (page) => {
    assert.ok(await page.locator('#controls').isHidden(), 'a filter that does nothing is not shown');
    const failed = page.locator('.case', { hasText: thatBroke });
    await failed.locator('summary').first().click();
    await failed.locator('pre.diff').waitFor();
  });
}

// On a telephone no line runs out of the page, and no word of a heading is broken.
async function fits() {
  await opened({ viewport: { width: 360, height: 740 } }, async (page) => {
    const unfold = () => document.querySelectorAll('details').forEach((each) => (each.open = true));
    await page.evaluate(unfold);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.equal(width, 360);
    for (const word of await page.locator('.class, th:visible').all()) {
      const lines = await word.evaluate((it) => {
        const range = document.createRange();
        range.selectNodeContents(it);
        return range.getClientRects().length;
      });
      assert.ok(lines <= 1, await word.innerText());
    }
  });
}

// What a reader sees who has followed the link to what broke.
async function takePicture() {
  await opened({ viewport: { width: 920, height: 1000 } }, async (page) => {
    await page.locator('.case', { hasText: thatBroke }).locator('summary').first().click();
    await page.evaluate(() => document.activeElement.blur());
    mkdirSync(dirname(env.PICTURE), { recursive: true });
    await page.screenshot({ path: env.PICTURE });
  });
}
