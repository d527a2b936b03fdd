import LongestFirst from '../longest-first.mjs';

/** Begins with the tests that are over soonest: the first that fails is the last that is needed. */
export default class ShortestFirst extends LongestFirst {
  async sort(tests) {
    return (await super.sort(tests)).toReversed();
  }
}
