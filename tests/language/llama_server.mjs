// Serves a GGUF model through node-llama-cpp as an OpenAI-compatible endpoint on loopback.
// node llama_server.mjs MODEL.gguf NODE_MODULES; prints its port when it is ready.
import http from "node:http";
import path from "node:path";
import {pathToFileURL} from "node:url";

const [, , model, modules] = process.argv;
const entry = path.join(modules, "node-llama-cpp", "dist", "index.js");
const {getLlama, LlamaChatSession, LlamaJsonSchemaGrammar} = await import(pathToFileURL(entry));

const llama = await getLlama({gpu: false, build: "never", logLevel: "error"});
const weights = await llama.loadModel({modelPath: model});
const context = await weights.createContext({contextSize: 4096, threads: 1});
const sequence = context.getSequence();

async function complete(request) {
    await sequence.clearHistory();
    const system = request.messages.filter((each) => each.role === "system");
    const session = new LlamaChatSession({
        contextSequence: sequence, systemPrompt: system.map((each) => each.content).join("\n")
    });
    const talk = request.messages.filter((each) => each.role !== "system");
    const schema = request.response_format?.json_schema?.schema;
    const options = {
        maxTokens: request.max_tokens, temperature: request.temperature, seed: request.seed,
        grammar: schema ? new LlamaJsonSchemaGrammar(llama, schema) : undefined
    };
    const before = talk.slice(0, -1).map((each) => each.role === "user"
        ? {type: "user", text: each.content} : {type: "model", response: [each.content]});
    session.setChatHistory([...session.getChatHistory(), ...before]);
    const {responseText: text, stopReason} = await session.promptWithMeta(talk.at(-1).content, options);
    const read = weights.tokenize(request.messages.map((each) => each.content).join("\n")).length;
    const written = weights.tokenize(text).length;
    session.dispose({disposeSequence: false});
    const usage = {prompt_tokens: read, completion_tokens: written, total_tokens: read + written};
    const finish_reason = stopReason === "maxTokens" ? "length" : "stop";
    const choice = {index: 0, message: {role: "assistant", content: text}, finish_reason};
    return {id: "0", object: "chat.completion", created: 0, model: request.model, choices: [choice], usage};
}

let queue = Promise.resolve();
const server = http.createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => { body += piece; });
    request.on("end", () => {
        queue = queue.then(async () => {
            try {
                const answer = JSON.stringify(await complete(JSON.parse(body)));
                response.writeHead(200, {"Content-Type": "application/json"}).end(answer);
            } catch (error) {
                const told = JSON.stringify({error: {message: String(error)}});
                response.writeHead(400, {"Content-Type": "application/json"}).end(told);
            }
        });
    });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
