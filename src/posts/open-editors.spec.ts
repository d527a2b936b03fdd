import { describe, expect, it } from '@jest/globals';
import { OpenEditors } from './open-editors.js';

const editor = (userId: string, tab: string, isHidden = false) => ({ postId: 'post', userId, tab, isHidden });

describe('the editors that have a post open', () => {
  it('are forgotten when they fall silent, those out of sight later', () => {
    const editors = new OpenEditors();
    editors.note(editor('ann', 'a1'), 1_000);
    editors.note(editor('ann', 'a2', true), 1_000);
    editors.note(editor('bob', 'b1'), 4_000);
    expect([...editors.ofPost('post', 6_999)]).toEqual([
      ['ann', ['a1', 'a2']],
      ['bob', ['b1']],
    ]);
    expect([...editors.ofPost('post', 9_999)]).toEqual([
      ['ann', ['a2']],
      ['bob', ['b1']],
    ]);
    expect([...editors.ofPost('post', 90_999)]).toEqual([['ann', ['a2']]]);
    expect([...editors.ofPost('post', 91_000)]).toEqual([]);
    expect([...editors.ofPost('another', 1_000)]).toEqual([]);
  });

  it('are those that a clock that was set back can know', () => {
    const editors = new OpenEditors();
    editors.note(editor('ann', 'a1', true), 9_000_000);
    expect([...editors.ofPost('post', 5_000_000)]).toEqual([]);
    editors.note(editor('ann', 'a1'), 5_000_000);
    expect([...editors.ofPost('post', 5_000_000)]).toEqual([['ann', ['a1']]]);
  });

  it('of one person are the last twenty', () => {
    const editors = new OpenEditors();
    for (let tab = 0; tab < 1000; tab += 1) editors.note(editor('ann', String(tab)), tab);
    expect(editors.ofPost('post', 1000).get('ann')).toHaveLength(20);
    expect(editors.ofPost('post', 1000).get('ann')?.at(-1)).toBe('999');
  });
});
