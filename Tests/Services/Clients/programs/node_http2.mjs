// RECIPE

const plan = JSON.parse(readFileSync(process.argv[2]));

session.on("error", () => {});

function answer(request) {
  return new Promise((resolve) => {
    const headers = {
      ":method": "POST",
      ":path": "/3/device/" + request.token,
      authorization: "bearer " + (request.expired ? process.env.OLD_TOKEN : process.env.TOKEN),
    };
    if (request.topic) headers["apns-topic"] = request.topic;
    if (request.collapse_id) headers["apns-collapse-id"] = request.collapse_id;
    let stream;
    try {
      stream = session.request(headers);
    } catch (error) {
      resolve({ error: String(error) });
      return;
    }
    let status;
    let text = "";
    stream.setEncoding("utf8");
    stream.on("response", (headers) => { status = headers[":status"]; });
    stream.on("data", (part) => { text += part; });
    stream.on("error", (error) => resolve({ error: String(error) }));
    stream.on("close", () => {
      const body = text ? JSON.parse(text) : {};
      resolve(status ? { status, reason: body.reason ?? null, timestamp: body.timestamp } : { error: "no answer" });
    });
    stream.end(JSON.stringify({ aps: { alert: request.alert } }));
  });
}

for (const { name, together, requests } of plan) {
  let answers = [];
  if (together) answers = await Promise.all(requests.map(answer));
  else for (const request of requests) answers.push(await answer(request));
  console.log(JSON.stringify({ name, answers }));
}
session.close();
