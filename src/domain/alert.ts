/** What operators are told of by themselves. Knows neither store nor how it is told. */

/** `device.recovered` is good news: the phone is back after `device.offline`. */
export type AlertKind = 'device.offline' | 'device.battery_low' | 'device.recovered' | 'sms.gap';

export const ALERT_KINDS: readonly AlertKind[] = [
  'device.offline',
  'device.battery_low',
  'device.recovered',
  'sms.gap',
];
