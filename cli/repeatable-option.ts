import { Option } from 'commander';

/** An option of one value that may be given more than once: its parser puts the values together. */
export class RepeatableOption extends Option {}
