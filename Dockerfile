# Runs the README's main job: `docker build -t mars-logic . && docker run --rm -v "$PWD/out:/out" mars-logic`
# leaves a certificate, a film and a report in out/. Other commands: `docker run --rm mars-logic mars-logic prove terrain`.
FROM python:3.11-slim AS build
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.11-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir /wheels/*.whl && rm -r /wheels \
    && useradd --create-home player && mkdir /out && chown player /out
USER player
# Compiles the simulator and the planner once, when the image is built.
RUN mars-logic plan all_three --seed 2 --length 60 > /dev/null
WORKDIR /out
CMD mars-logic prove \
    && mars-logic plan all_three --seed 2 --explain -o plan.json --film plan.gif --force \
    && mars-logic report . -o report.html --force
