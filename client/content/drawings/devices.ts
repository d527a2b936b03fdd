import type { Drawing } from '../../components/page-header.js';

/** Devices on one line. */
export const devicesDrawing: Drawing = {
  cables: 'M0 24H3000M62 24v30M160 24v26M254 24v30M350 24v20',
  shapes:
    'M28 54h68v44H28zM16 108h92M140 50h40v68h-40zM154 108h12M218 74h72v34h-72zM232 74V54h44v20M232 96h44v26h-44zM318 44h64v32h-64zM318 86h64v32h-64zM332 60h22M332 102h22',
  lamps: 'M62 24h0M160 24h0M254 24h0M370 60h0',
  lit: 'M370 102h0',
};
