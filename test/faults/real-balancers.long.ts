import { describeFault } from '../support/fault-scenario.js';
import { startCaddy, startHaproxy, startNginx } from '../support/real-balancers.js';
import { restartUnderLoad } from '../support/rolling-restarts.js';

const ROUNDS = 10;

describeFault('ten rolling restarts behind haproxy, as it is printed: readiness checks and no retries', {
  protection: 'its readiness checks',
  run: (isProtected) =>
    restartUnderLoad({
      rounds: isProtected ? ROUNDS : 1,
      variables: { SHUTDOWN_DELAY: '5' },
      balance: (ports) => startHaproxy(ports, isProtected),
    }),
});

for (const workers of ['1', '2']) {
  const title = `ten rolling restarts of two units with WEB_CONCURRENCY=${workers} behind nginx, as it is printed`;
  describeFault(`${title}: no checks, and its usual retries`, {
    protection: 'its retries',
    run: (isProtected) =>
      restartUnderLoad({
        rounds: isProtected ? ROUNDS : 1,
        variables: { WEB_CONCURRENCY: workers },
        balance: (ports) => startNginx(ports, isProtected),
      }),
  });
}

describeFault('ten rolling restarts behind Caddy, as it is printed: readiness checks', {
  protection: 'its readiness checks',
  run: (isProtected) =>
    restartUnderLoad({
      rounds: isProtected ? ROUNDS : 1,
      variables: { SHUTDOWN_DELAY: '5' },
      balance: (ports) => startCaddy(ports, isProtected),
    }),
});
