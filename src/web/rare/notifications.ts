/* All of the second file is imported, or the bundler would cut it into pieces. */
import "../late/parts";

export { noteDevices, notePhoneChange } from "../notifications/devices";
export { followNotifications } from "../notifications/follow";
export { NotificationsHere } from "../notifications/notifications-here";
export { endPush } from "../notifications/push";
export { endReadBefore, tellOf } from "../notifications/tell";
export { turnOn } from "../notifications/turn-on";
