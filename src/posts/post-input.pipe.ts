import { inputPipe } from '../http/input-pipe.js';
import { toInputError } from './post-preparation.js';

/** Checks bodies and queries of the routes that write posts. The answer names every wrong field. */
export const postInputPipe = inputPipe(toInputError);
