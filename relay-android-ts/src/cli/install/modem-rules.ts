/**
 * What a computer must be told so that gammu-smsd and ModemManager do not take each other's modems, as texts
 * for udev and polkit. Pure.
 */
import { basename } from 'node:path';

/** What udev tells the stick by, of which the device file is a part. */
type Mark =
  /** Maker, model and serial number, as in the name below /dev/serial/by-id. */
  | { readonly kind: 'serial'; readonly serial: string }
  /** The USB socket, as in the name below /dev/serial/by-path. */
  | { readonly kind: 'socket'; readonly path: string }
  /** The name of the device file itself. */
  | { readonly kind: 'name'; readonly name: string };

/**
 * A stick has three to five serial ports; the agent uses one, and the others must be left alone, too. So the
 * rule is about the whole stick where its name tells it.
 * @param device as named for the agent, or its name below /dev/serial/by-id
 */
export function markOf(device: string): Mark {
  const name = basename(device);
  const serial = /\/by-id\/usb-(.+?)-if[0-9a-f]{2}(?:-port\d+)?$/.exec(device)?.[1];
  if (serial !== undefined) return { kind: 'serial', serial };
  // Newer systems have a second name, in which the version of USB stands; the property has none.
  const path = /\/by-path\/(.+-usb(?:v\d)?-[\d:.]+):\d+\.\d+(?:-port\d+)?$/.exec(device)?.[1];
  if (path !== undefined) return { kind: 'socket', path: path.replace(/-usbv\d-/, '-usb-') };
  return { kind: 'name', name };
}

/** A text of a rule, in which any sign that means something to udev stands for one sign of any kind. */
const pattern = (text: string): string => text.replace(/[^\w#+.:=@-]/g, '?');

/** The lines of the rule for one device. */
export function udevLines(device: string): string[] {
  const mark = markOf(device);
  switch (mark.kind) {
    case 'serial':
      return [`ENV{ID_SERIAL}=="${pattern(mark.serial)}", ENV{ID_MM_DEVICE_IGNORE}="1"`];
    case 'socket':
      return [
        'SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", ENV{ID_PATH}=="", IMPORT{builtin}="path_id"',
        `ENV{ID_PATH}=="${pattern(mark.path)}|${pattern(mark.path)}:*", ENV{ID_MM_DEVICE_IGNORE}="1"`,
      ];
    case 'name':
      return [`SUBSYSTEM=="tty", KERNEL=="${pattern(mark.name)}", ENV{ID_MM_PORT_IGNORE}="1"`];
    default:
      return mark satisfies never;
  }
}

/** @param devices those that gammu-smsd is to have, by their most lasting names */
export function udevRules(devices: readonly string[]): string {
  return [
    '# Written by kashbox-relay install. ModemManager leaves these modems to gammu-smsd.',
    'ACTION=="remove", GOTO="kashbox_relay_end"',
    ...new Set(devices.flatMap(udevLines)),
    'LABEL="kashbox_relay_end"',
    '',
  ].join('\n');
}

/** ModemManager asks polkit who may use modems; a service has no session, and would be refused. */
export function polkitRules(user: string): string {
  return `// Written by kashbox-relay install. The agent may use the modems that ModemManager has.
polkit.addRule(function (action, subject) {
  if (subject.user === '${user}' && action.id.indexOf('org.freedesktop.ModemManager1.') === 0) {
    return polkit.Result.YES;
  }
});
`;
}
