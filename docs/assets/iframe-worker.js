// Where pages are read from a disk a browser starts no worker, and the theme searches in one. There its script runs in a frame that nobody
// sees; messages are copied, as they are on their way to a worker. (The theme's plugin `offline` looks for this file's name.)
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    #sent = [];
    #inside = null;

    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.srcdoc = "<!doctype html>";
      frame.addEventListener("load", () => {
        const inside = frame.contentWindow;
        inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data: structuredClone(data) }));
        const script = inside.document.createElement("script");
        script.src = address;
        script.addEventListener("load", () => {
          this.#inside = inside;
          this.#sent.splice(0).forEach((data) => this.postMessage(data));
        });
        inside.document.head.append(script);
      }, { once: true });
      document.body.append(frame);
    }

    postMessage(data) {
      if (this.#inside) {
        this.#inside.dispatchEvent(new MessageEvent("message", { data: structuredClone(data) }));
      } else {
        this.#sent.push(data);
      }
    }
  };
}
