import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Controller, Get, Inject, NotFoundException, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CONFIG, type Config } from '../config/config.js';
import { Public } from '../http/public.decorator.js';
import { renderCapturedList, renderCapturedMail, toFramedHtml, type CapturedMail } from './captured-mail.pages.js';

/** Admits only the parts of these pages, which may show a mail in a frame. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** A mail in its frame: no scripts, no requests, an origin of its own; its links lead the whole window on. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'self'; sandbox allow-top-navigation-by-user-activation";

/** Shows the mails that were kept instead of sent. Only there while mails are captured (mail-delivery.module.ts). */
@Public()
@ApiExcludeController()
@Controller('dev/mail')
export class CapturedMailController {
  private readonly folder: string;

  constructor(@Inject(CONFIG) { mail }: Config) {
    this.folder = mail.transport.kind === 'capture' ? mail.transport.folder : '';
  }

  @Get()
  async list(@Res() reply: FastifyReply): Promise<void> {
    const names = await readdir(this.folder).catch(() => []);
    const mails = await Promise.all(names.filter(isMailFile).map((name) => this.read(name)));
    await answer(reply, renderCapturedList(mails.sort((a, b) => b.sentAt.localeCompare(a.sentAt))), PAGE_POLICY);
  }

  @Get(':id')
  async show(@Param('id') id: string, @Res() reply: FastifyReply): Promise<void> {
    await answer(reply, renderCapturedMail(await this.find(id)), PAGE_POLICY);
  }

  @Get(':id/html')
  async showHtml(@Param('id') id: string, @Res() reply: FastifyReply): Promise<void> {
    await answer(reply, toFramedHtml(await this.find(id)), MAIL_POLICY);
  }

  private async find(id: string): Promise<CapturedMail> {
    const name = `${id}.json`;
    if (!isMailFile(name)) throw new NotFoundException({ code: 'not_found', message: 'There is no such mail.' });
    return await this.read(name).catch(() => {
      throw new NotFoundException({ code: 'not_found', message: 'There is no such mail.' });
    });
  }

  private async read(name: string): Promise<CapturedMail> {
    return JSON.parse(await readFile(join(this.folder, name), 'utf8')) as CapturedMail;
  }
}

/** Returns true for names of captured mails, which are named after jobs; no other file is read. */
function isMailFile(name: string): boolean {
  return /^[\da-f-]{36}\.json$/.test(name);
}

async function answer(reply: FastifyReply, html: string, policy: string): Promise<void> {
  await reply
    .headers({ 'content-security-policy': policy, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(html);
}
