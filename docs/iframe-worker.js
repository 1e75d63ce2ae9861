// Pages that are read from the disk may start no worker: the search then runs in a hidden frame.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.scope = frame.contentWindow;
      this.scope.importScripts = (...urls) =>
        urls.reduce((loaded, each) => loaded.then(() => this.load(each)), Promise.resolve());
      this.scope.postMessage = (data) => this.tell(this, data);
      this.loaded = this.load(url);
    }

    load(url) {
      return new Promise((resolve, reject) => {
        const script = this.scope.document.createElement("script");
        Object.assign(script, { src: url, onload: resolve, onerror: reject });
        this.scope.document.head.append(script);
      });
    }

    postMessage(data) {
      this.loaded.then(() => this.tell(this.scope, data));
    }

    tell(receiver, data) {
      receiver.dispatchEvent(new MessageEvent("message", { data }));
    }
  };
}
