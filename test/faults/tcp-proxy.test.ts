import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { onCleanup } from '../support/cleanup.js';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';

// The other scenarios stand on it: what it says it does, it does.

let proxy: TcpProxy;
/** What the service was sent, on all connections. */
let received = '';

/** A connection to a service that sends everything back, and what has come back so far. */
class Talk {
  heard = '';
  isOver = false;
  private readonly socket: Socket;

  constructor() {
    this.socket = connect(proxy.port, '127.0.0.1');
    this.socket.on('data', (chunk) => (this.heard += chunk.toString()));
    this.socket.on('error', () => undefined).on('close', () => (this.isOver = true));
    onCleanup(() => void this.socket.destroy());
  }

  say(text: string): void {
    this.socket.write(text);
  }

  async ask(text: string): Promise<void> {
    this.say(text);
    await until(() => this.heard.endsWith(text));
  }
}

beforeAll(async () => {
  const service = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .on('data', (chunk) => {
        received += chunk.toString();
        socket.write(chunk);
      });
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  onCleanup(() => void service.close());
  proxy = await openTcpProxy({ host: '127.0.0.1', port: (service.address() as AddressInfo).port });
});

beforeEach(async () => {
  await proxy.open();
  received = '';
});

describe('a proxy in front of a service', () => {
  it('passes everything, and counts who is there', async () => {
    const talk = new Talk();
    await talk.ask('hello');
    expect(proxy.connectionCount).toBe(1);
    proxy.cut();
    await until(() => talk.isOver && proxy.connectionCount === 0);
  });

  it('holds back what is said in the silence, on open connections and new ones, until it is over', async () => {
    const talk = new Talk();
    await talk.ask('before');
    proxy.silence();
    const late = new Talk();
    talk.say(' held');
    late.say('late');
    await until(() => proxy.connectionCount === 2);
    expect([talk.heard, late.heard]).toEqual(['before', '']);
    await proxy.open();
    await until(() => talk.heard === 'before held' && late.heard === 'late');
    proxy.cut();
  });

  it('is silent on connections that began with a word, and passes others', async () => {
    const [listener, other] = [new Talk(), new Talk()];
    await Promise.all([listener.ask('I listen'), other.ask('I ask')]);
    proxy.silence('listen');
    listener.say('more');
    await other.ask('more');
    expect(listener.heard).toBe('I listen');
    proxy.cut();
  });

  it('stalls each connection in the middle of what is sent', async () => {
    proxy.stallAfter(5, 'client');
    const talk = new Talk();
    await talk.ask('first');
    talk.say(' second');
    const other = new Talk();
    await other.ask('other');
    expect(received).toBe('firstother');
    await proxy.open();
    await until(() => received === 'firstother second');
    proxy.cut();
  });

  it.each([
    { isDelivered: true, arrives: 'begin commit' },
    { isDelivered: false, arrives: 'begin' },
  ])('cuts at a word ($isDelivered: it was delivered)', async ({ isDelivered, arrives }) => {
    const cut = proxy.cutWhen({ from: 'client', at: 'commit', isDelivered });
    const talk = new Talk();
    await talk.ask('begin');
    talk.say(' commit');
    await cut;
    await until(() => talk.isOver);
    expect(talk.heard).toBe('begin');
    await until(() => received === arrives);
  });

  it('slows down, resets, refuses and comes back at the same port', async () => {
    proxy.throttle(100_000);
    proxy.delay(1);
    const slow = new Talk();
    await slow.ask('x'.repeat(20_000));
    const reset = once(slow['socket'], 'error') as Promise<[NodeJS.ErrnoException]>;
    proxy.reset();
    expect((await reset)[0].code).toBe('ECONNRESET');
    const { port } = proxy;
    await proxy.close();
    const [refused] = (await once(connect(port, '127.0.0.1'), 'error')) as [NodeJS.ErrnoException];
    expect(refused.code).toBe('ECONNREFUSED');
    await proxy.open();
    expect(proxy.port).toBe(port);
    await new Talk().ask('again');
  });
});
