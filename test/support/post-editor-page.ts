import type { Page } from 'playwright-core';

/** The editor of posts: where things are and what can be done, nothing about what should come of it. */
export function postEditorPage(page: Page, base: string) {
  const form = page.locator('form.post-editor');
  const dialog = (name: string) => page.getByRole('dialog', { name });
  const editor = {
    form,
    dialog,
    heading: page.getByRole('heading', { level: 1 }),
    // Fields that are completed are comboboxes.
    field: (name: string) =>
      form.getByRole('textbox', { name, exact: true }).or(form.getByRole('combobox', { name, exact: true })),
    text: form.getByRole('textbox', { name: 'Content', exact: true }),
    publishing: form.getByRole('switch', { name: 'Publish immediately' }),
    date: form.getByLabel('Published date'),
    image: form.getByLabel('Featured Image'),
    button: (name: string) => form.getByRole('button', { name, exact: true }),
    tool: (name: string) => form.getByRole('toolbar').getByRole('button', { name, exact: true }),
    /** Waits until the save bar shows these words. */
    says: (words: RegExp) => form.getByRole('region', { name: 'Saving' }).getByText(words).first().waitFor(),
    toast: (text: string) => page.locator('[data-sonner-toast]').filter({ hasText: text }),
    notices: form.locator('.editor-notices'),
    presence: form.locator('.presence-line'),
    copies: page.getByRole('region', { name: 'Kept on this device' }),
    async open(path: string) {
      await page.goto(base + path);
      await editor.text.waitFor();
    },
    /** Puts words at the end of the text. */
    async write(words: string) {
      // A dialog that closes gives the focus back a moment later.
      await page.locator('dialog[open]').waitFor({ state: 'detached' });
      await editor.text.focus();
      await page.keyboard.press('Control+End');
      await page.keyboard.type(words);
    },
    /** Pastes a text, without formats unless it is there as HTML too. */
    paste: (words: string, html = '') =>
      editor.text.evaluate(
        (node, [plain, formatted]) => {
          const data = new DataTransfer();
          data.setData('text/plain', plain);
          data.setData('text/html', formatted);
          node.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
        },
        [words, html] as const,
      ),
    /** Presses Tab until a control of that name has the focus. */
    async tabTo(name: string, key: 'Tab' | 'Shift+Tab' = 'Tab') {
      for (let presses = 0; presses < 60; presses += 1) {
        if (await page.evaluate(hasFocus, name)) return;
        await page.keyboard.press(key);
      }
      throw new Error(`Tab does not lead to "${name}"`);
    },
    async save() {
      await editor.button('Save Post').click();
      await page.waitForURL(`${base}/admin/blogs`);
    },
  };
  return editor;
}

/** Runs in the page. */
function hasFocus(name: string): boolean {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement)) return false;
  const labels = activeElement instanceof HTMLInputElement ? [...(activeElement.labels ?? [])] : [];
  const label = activeElement.getAttribute('aria-labelledby');
  const texts = [...labels, label === null ? null : document.getElementById(label), activeElement];
  return texts.some((element) => element?.textContent.replace(/\s*\*$/, '').trim() === name);
}
