import { crc32, deflateSync } from 'node:zlib';

/** Lines of a head, without their ends. */
export type HeaderLines = readonly string[];

/** A request as bytes, with a Host and whatever else is named. */
export function requestBytes(line: string, headers: HeaderLines = [], body: string | Buffer = ''): Buffer {
  const head = [`${line} HTTP/1.1`, 'host: site.test', ...headers].join('\r\n');
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), Buffer.from(body)]);
}

/** A request with a body whose length it names. */
export function postBytes(path: string, type: string, body: string | Buffer, headers: HeaderLines = []): Buffer {
  const more = [`content-type: ${type}`, `content-length: ${Buffer.byteLength(body)}`, ...headers];
  return requestBytes(`POST ${path}`, more, body);
}

/** A request whose body comes in chunks and is as long as it is. */
export function chunkedBytes(path: string, type: string, body: Buffer, headers: HeaderLines = []): Buffer {
  const parts: (string | Buffer)[] = [];
  for (let at = 0; at < body.length; at += 65_536) {
    const part = body.subarray(at, at + 65_536);
    parts.push(`${part.length.toString(16)}\r\n`, part, '\r\n');
  }
  const chunks = Buffer.concat([...parts, '0\r\n\r\n'].map((part) => Buffer.from(part)));
  return requestBytes(`POST ${path}`, [`content-type: ${type}`, 'transfer-encoding: chunked', ...headers], chunks);
}

export const MULTIPART = 'multipart/form-data; boundary=b';

/** The body of a form with files; each part is its head and its content. */
export function multipartBody(parts: readonly (string | Buffer)[]): Buffer {
  const framed = parts.flatMap((part) => ['--b\r\n', part, '\r\n']);
  return Buffer.concat([...framed, '--b--\r\n'].map((part) => Buffer.from(part)));
}

/** A part with the one file of an upload. */
export function filePart(content: Buffer, name = 'a.png'): Buffer {
  const head = `content-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: image/png\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), content]);
}

/** A PNG that says it has these dimensions, and has next to nothing. */
export function boastfulPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8);
  const chunk = (type: string, data: Buffer) => {
    const typed = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(typed));
    return Buffer.concat([length, typed, sum]);
  };
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  const data = deflateSync(Buffer.alloc(1000));
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}
