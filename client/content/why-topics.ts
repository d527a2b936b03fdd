/** A sub-page of Why Choose Us, as its overview introduces it. */
export interface WhyTopic {
  /** Key of the address in `paths`. */
  readonly path: 'ourPromise' | 'devices' | 'notSure';
  readonly title: string;
  /** The field of the page's texts that introduces it. */
  readonly text: 'topic_promise' | 'topic_devices' | 'topic_doubts';
}

/** The three sub-pages of Why Choose Us, in the order of the header's menu, which names them so too. */
export const whyTopics: readonly WhyTopic[] = [
  { path: 'ourPromise', title: 'Our Promise', text: 'topic_promise' },
  { path: 'devices', title: 'Devices we Support', text: 'topic_devices' },
  { path: 'notSure', title: 'Not sure about IT Service?', text: 'topic_doubts' },
];
