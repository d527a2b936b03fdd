import { startBalancer } from '../support/balancer.js';
import { describeFault } from '../support/fault-scenario.js';
import { isLong, scaled } from '../support/fault-scale.js';
import { restartUnderLoad } from '../support/rolling-restarts.js';

// Workers, which are the harder of the two, start three processes for each of the others' one.
for (const workers of isLong ? ['1', '2'] : ['1']) {
  describeFault(`rolling restarts of two processes with ${workers} workers each, while people use the site`, {
    protection: 'readiness checks',
    run: (isProtected) =>
      restartUnderLoad({
        rounds: isProtected ? scaled(1, 10) : 1,
        untilHarm: !isProtected,
        // As recommended: a check that a busy machine answers late is still answered before the port closes.
        variables: { SHUTDOWN_DELAY: '5', WEB_CONCURRENCY: workers },
        balance: (ports) => startBalancer(ports, isProtected ? '/api/health/ready' : undefined),
      }),
  });
}
