import type { SendTimeName } from "../../model/send-times";

/** Words of what is sent later, of reminders and of saved texts. */
export const later = {
  ahead: {
    inAnHour: "In an hour",
    todayAfternoon: "This afternoon",
    todayEvening: "This evening",
    tomorrow: "Tomorrow morning",
    tomorrowAfternoon: "Tomorrow afternoon",
    monday: "Monday morning",
  } satisfies Record<SendTimeName, string>,
  at: (name: string, moment: string) => `${name}, ${moment}`,
  change: "Change",
  changeTime: "Change time",
  chooseTime: "Choose a date and time…",
  failed:
    "Not sent at its time. Notification Bot has told you why. Choose another time, or edit it.",
  gone: "The message is gone, or you may not read it any more.",
  keptAsDraft: (why: string) => `It is among your drafts now, because: ${why}`,
  note: "Note (optional)",
  pastTime: "Choose a moment that is still to come.",
  remindAt: "Remind me",
  reminderDeleted: "Reminder deleted.",
  reminderSet: (moment: string) => `You will be reminded: ${moment}`,
  reminders: {
    none: "No reminders.",
    noneHelp: "Choose “Remind me” in the menu of a message. Notification Bot writes to you then.",
  },
  remove: "Delete",
  removeNamed: (text: string) => `Delete: ${text}`,
  changeNamed: (text: string) => `Change: ${text}`,
  sendNow: "Send now",
  sendNowNamed: (text: string) => `Send now: ${text}`,
  sendsNow: "It is being sent.",
  scheduled: {
    deleted: "Scheduled message deleted.",
    edit: "Change the scheduled message",
    list: "All scheduled messages",
    none: "Nothing is scheduled.",
    noneHelp: "Write a message and choose “Send later” beside Send. It waits here until then.",
    text: "Text",
  },
  scheduledFor: (moment: string) => `It will be sent: ${moment}`,
  schedule: "Schedule",
  showMore: (count: number) => `Show ${count} more`,
  when: "Date and time",
};
