import { BadRequestException } from '@nestjs/common';
import { ENQUIRY_STATES, type EnquiryState } from '../shared/contracts/enquiries.js';
import type { EnquiryFilter } from './enquiries.service.js';

/** The query of a list as it comes in: each member may be there several times. */
export type ListQuery = Readonly<Record<string, unknown>>;

const PAGE = { usual: 50, max: 100 } as const;
const SEARCH_LENGTH = 200;

/** @throws BadRequestException for what is no filter */
export function readListQuery(query: ListQuery): EnquiryFilter {
  const text = (name: string) => {
    const value = [query[name]].flat()[0];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return {
    search: text('search')?.slice(0, SEARCH_LENGTH),
    state: readState(text('state')),
    cursor: text('cursor'),
    limit: readLimit(text('limit')),
  };
}

/** @throws BadRequestException */
export function readExportFormat(wanted: unknown): 'csv' | 'json' {
  if (wanted === undefined || wanted === 'csv') return 'csv';
  if (wanted === 'json') return 'json';
  throw invalid('The format is csv or json.');
}

function readState(value: string | undefined): EnquiryState | undefined {
  const state = ENQUIRY_STATES.find((known) => known === value);
  if (value !== undefined && state === undefined) throw invalid(`The state is one of ${ENQUIRY_STATES.join(', ')}.`);
  return state;
}

function readLimit(value: string | undefined): number {
  const limit = value === undefined ? PAGE.usual : Number(value);
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE.max) throw invalid(`The limit is 1 to ${PAGE.max}.`);
  return limit;
}

function invalid(message: string): BadRequestException {
  return new BadRequestException({ code: 'validation_failed', message });
}
