import { describe, expect, it } from '@jest/globals';
import { shortcutKey } from './shortcut-key.js';

describe('the key of a shortcut', () => {
  it.each([
    ['Cyrillic', 'ы', 'KeyS', 's'],
    ['Cyrillic, with Shift', 'Я', 'KeyZ', 'z'],
    ['Cyrillic', 'ъ', 'BracketRight', ']'],
    ['Greek', 'σ', 'KeyS', 's'],
    ['Hebrew', 'ד', 'KeyS', 's'],
    ['Arabic', 'س', 'KeyS', 's'],
    ['Arabic, where one key has two letters', 'لا', 'KeyB', 'b'],
  ])('is a Latin one on a keyboard that is %s: %s', (_script, key, code, latin) => {
    expect(shortcutKey({ key, code })).toBe(latin);
  });

  it.each([
    ['S', 'KeyS', 's'],
    // Dvorak and AZERTY.
    ['o', 'KeyS', 'o'],
    [',', 'KeyW', ','],
    ['a', 'KeyQ', 'a'],
    ['ü', 'BracketLeft', 'ü'],
    ['Dead', 'KeyS', 'dead'],
    ['F10', 'F10', 'f10'],
    // In the place of no Latin letter, and of a keyboard that does not say which key it was.
    ['ж', 'Semicolon', 'ж'],
    ['ы', '', 'ы'],
  ])('is what it says otherwise: %s of %s', (key, code, same) => {
    expect(shortcutKey({ key, code })).toBe(same);
  });
});
