import { expect, it } from '@jest/globals';
import { toBuildId } from './client-bundle.js';

it('is another build when browsers get other files, and when the server alone writes something else', () => {
  const build = toBuildId('{"app":"app-1.js"}', 'render()');
  expect(toBuildId('{"app":"app-1.js"}', Buffer.from('render()'))).toBe(build);
  expect(toBuildId('{"app":"app-2.js"}', 'render()')).not.toBe(build);
  expect(toBuildId('{"app":"app-1.js"}', 'renderAnew()')).not.toBe(build);
});
