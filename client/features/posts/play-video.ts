import type { MouseEvent } from 'react';
import { isPlainClick } from './plain-click.js';

/**
 * Puts the player in the place of a video's link (see renderContent on the server) when a visitor presses it, so that
 * its host learns of nobody else. Any other press is left alone, also the ones that open a new tab.
 */
export function playVideo(event: MouseEvent<HTMLElement>): void {
  const link = (event.target as Element).closest<HTMLAnchorElement>('.video > a[data-player]');
  if (link === null || !isPlainClick(event)) return;
  event.preventDefault();
  const address = new URL(link.dataset['player'] ?? '');
  address.searchParams.set('autoplay', '1');
  if (address.hostname === 'player.vimeo.com') address.searchParams.set('dnt', '1');
  const player = document.createElement('iframe');
  player.src = address.href;
  player.title = link.querySelector('.video-title')?.lastChild?.textContent ?? 'Video';
  player.allow = 'autoplay; fullscreen; picture-in-picture; encrypted-media';
  link.replaceWith(player);
  player.focus();
}
