import {
  NO_ASSIGNEE,
  type EnquiryDelivery,
  type EnquiryRecord,
  type EnquiryState,
} from '../src/shared/contracts/enquiries.js';
import { OPERATOR } from '../src/shared/actor.js';
import { EnquiriesService } from '../src/contact/enquiries.service.js';
import { formatColumns } from './columns.js';
import type { WithContext } from './context.js';
import { writeExport } from './export-file.js';
import { exitCodeFor } from './exit-codes.js';
import { printable } from './printable.js';

/** Which enquiries are meant. */
export interface FilterFlags {
  readonly state?: EnquiryState;
  readonly delivery?: EnquiryDelivery;
  /** An address, or none. */
  readonly assignee?: string;
  readonly search?: string;
}

export interface ListFlags extends FilterFlags {
  readonly json?: true;
}

export interface ExportFlags extends FilterFlags {
  readonly format: 'csv' | 'json';
  readonly output?: string;
  readonly force?: true;
}

export interface EraseFlags {
  readonly yes?: true;
}

const PAGE = 500;

/** `enquiries list`. */
export async function handleList({ json, ...flags }: ListFlags, withContext: WithContext): Promise<void> {
  const records = await withContext(async (context) => {
    const enquiries = context.get(EnquiriesService);
    const filter = await toFilter(enquiries, flags);
    const all: EnquiryRecord[] = [];
    let cursor: string | undefined;
    do {
      const page = await enquiries.list(OPERATOR, { ...filter, cursor, limit: PAGE });
      all.push(...page.items);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return all;
  });
  if (json) return write(`${JSON.stringify(records, null, 2)}\n`);
  const rows = records.map((record) => [
    record.state,
    record.delivery,
    record.created_at,
    record.id,
    printable(`${record.name} <${record.email}>`),
  ]);
  write(rows.length === 0 ? 'There are no such enquiries.\n' : formatColumns(rows));
}

async function toFilter(enquiries: EnquiriesService, { assignee, ...filter }: FilterFlags) {
  return { ...filter, assignee: await findAssignee(enquiries, assignee) };
}

async function findAssignee(enquiries: EnquiriesService, email: string | undefined): Promise<string | undefined> {
  if (email === undefined || email === NO_ASSIGNEE) return email;
  const assignees = await enquiries.listAssignees(OPERATOR);
  const found = assignees.find((assignee) => assignee.email?.toLowerCase() === email.toLowerCase());
  if (found === undefined) throw new Error(`There is no administrator ${email}`);
  return found.id;
}

/** `enquiries show`. */
export async function handleShow(id: string, isJson: boolean, withContext: WithContext): Promise<void> {
  const record = await withContext((context) => context.get(EnquiriesService).find(OPERATOR, id));
  if (isJson) return write(`${JSON.stringify(record, null, 2)}\n`);
  const { message, answers, ...facts } = record;
  const rows = Object.entries(facts).map(([name, value]) => [
    name.replaceAll('_', ' '),
    printable(String(value ?? '-')),
  ]);
  write(`${formatColumns(rows)}\n${record.redacted_at === null ? toLines(message) : 'The message was removed.'}\n`);
  for (const { text, delivery, created_at: createdAt } of answers) {
    write(`\nAnswered on ${createdAt} (${delivery}):\n${text === '' ? 'The words were removed.' : toLines(text)}\n`);
  }
}

function toLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** `enquiries resend`. */
export async function handleResend(ids: readonly string[], withContext: WithContext): Promise<void> {
  await forEach(ids, withContext, async (enquiries, id) => {
    await enquiries.resend(OPERATOR, id);
    return 'its mail goes out';
  });
}

/** `enquiries erase`. */
export async function handleErase(ids: readonly string[], withContext: WithContext): Promise<void> {
  await forEach(ids, withContext, async (enquiries, id) => {
    await enquiries.erase(OPERATOR, id);
    return 'erased';
  });
}

/** `enquiries export`. */
export async function handleExport(
  { format, output, force, ...flags }: ExportFlags,
  withContext: WithContext,
): Promise<void> {
  await writeExport({ path: output, isReplacing: force === true, isPrivate: true }, (writePart) =>
    withContext(async (context) => {
      const enquiries = context.get(EnquiriesService);
      const filter = await toFilter(enquiries, flags);
      const parts = enquiries.export(OPERATOR, { format, ...filter }, output !== undefined);
      for await (const part of parts) await writePart(part);
    }),
  );
}

async function forEach(
  ids: readonly string[],
  withContext: WithContext,
  task: (enquiries: EnquiriesService, id: string) => Promise<string>,
): Promise<void> {
  let refused = 0;
  await withContext(async (context) => {
    for (const id of ids) {
      try {
        write(`${id}: ${await task(context.get(EnquiriesService), id)}\n`);
      } catch (error) {
        refused += 1;
        process.stderr.write(`${id}: ${printable(error instanceof Error ? error.message : String(error))}\n`);
      }
    }
  });
  process.exitCode = exitCodeFor(ids.length, refused);
}

function write(text: string): void {
  process.stdout.write(text);
}
