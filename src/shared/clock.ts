/** The time. Code that asks it instead of the system can be tested without waiting. */
export class Clock {
  now(): Date {
    return new Date();
  }
}
