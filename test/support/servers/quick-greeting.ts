import { SMTPConnection } from "smtp-server/lib/smtp-connection.js";

/*
 * smtp-server greets a client only after 100 ms, because by then it has noticed whether the client
 * talks too soon. Hundreds of connections in tests would wait for that.
 */

const greetingMilliseconds = 100;
const { init } = SMTPConnection.prototype;

SMTPConnection.prototype.init = function greetAtOnce(this: SMTPConnection) {
  const { setTimeout: usual } = globalThis;
  Reflect.set(globalThis, "setTimeout", (run: () => void, milliseconds: number) =>
    usual(run, milliseconds === greetingMilliseconds ? 0 : milliseconds),
  );
  try {
    init.call(this);
  } finally {
    Reflect.set(globalThis, "setTimeout", usual);
  }
};
