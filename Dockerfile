# Runs the README's main job: it leaves a certificate, a film and a report in out/.
#     docker build -t mars-logic .
#     mkdir -p out && docker run --rm --user "$(id -u)" -v "$PWD/out:/out" mars-logic
# Other commands: `docker run --rm mars-logic mars-logic prove terrain`.
FROM python:3.11-slim AS build
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.11-slim
# Compiled code is kept here, for whichever user runs the image.
ENV NUMBA_CACHE_DIR=/cache
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir /wheels/*.whl && rm -r /wheels \
    && useradd --create-home --uid 1000 player && mkdir /cache /out && chown 1000 /cache /out
USER 1000
# Compiles the simulator and the planner once, when the image is built; other users may add to it.
RUN mars-logic plan all_three --seed 2 --length 60 > /dev/null && chmod -R a+rwX /cache && find /cache -type d -exec chmod +t {} +
WORKDIR /out
CMD ["sh", "-c", "mars-logic prove \
    && mars-logic plan all_three --seed 2 --explain -o plan.json --film plan.gif --force \
    && mars-logic report . -o report.html --force"]
