// SPDX-License-Identifier: GPL-3.0-or-later
// What typing costs. Small job: processor time of the window's thread for one key, with everything that follows it
// (diagnostics, form, painting), the median of many keys. Large jobs: from the last key of a burst to diagnostics and
// form on the screen, while the text is read on another thread. The peer of both is a bare QsciScintilla with the same
// text and the same keys in the same run.
#include "tests/helpers/processortime.h"
#include "widgets/common/style.h"
#include "widgets/editor/codeview.h"
#include "widgets/form/designerpage.h"

#include <QApplication>
#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTimer>

// Its headers know no other word.
#define slots Q_SLOTS
#define signals Q_SIGNALS
#include <Qsci/qscilexeryaml.h>
#undef slots
#undef signals

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <vector>

using namespace trainyard;
using processortime::median;
using processortime::processMs;
using processortime::threadMs;

namespace
{

constexpr double keyBudgetMs = 16;
constexpr double refreshBudgetMs = 150;

double largest(const std::vector<double> &values)
{
    return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

const char head[] = "protocolVersion: 2\nname: typing\ntype: job\nparameters:\n  lr: 0.1\n  model: resnet50\n"
                    "  batch: 64\nsecrets:\n  token: '******'\nprerequisites:\n"
                    "  - name: image\n    type: dockerimage\n    uri: example.org/train:1.0\n"
                    "  - name: git\n    type: script\n    plugin: com.microsoft.pai.runtimeplugin.cmd\n"
                    "    callbacks:\n      - event: taskStarts\n        commands: [apt-get install -y git]\n";

QByteArray role(const QByteArray &name, int commands, bool brief)
{
    QByteArray text = "  " + name
        + ":\n    instances: 2\n    dockerImage: image\n    prerequisites: [git]\n"
          "    completion:\n      minFailedInstances: 1\n"
          "    resourcePerInstance:\n      gpu: 1\n      cpu: 4\n      memoryMB: 8192\n"
          "      ports:\n        ssh: 1\n        http: 1\n    commands:\n";
    for (int i = 0; i < commands; ++i) {
        text += "      - python train.py --step " + QByteArray::number(i) + " --lr <% $parameters.lr %>"
            + (brief ? "\n" : " --model <% $parameters.model %> --index $PAI_TASK_INDEX\n");
    }
    return text;
}

QByteArray jobOf(int roles, int commandsEach)
{
    QByteArray text = QByteArray(head) + "taskRoles:\n";
    for (int i = 0; i < roles; ++i) {
        text += role("worker" + QByteArray::number(i), commandsEach, roles * commandsEach > 1000);
    }
    return text + "extras:\n  tail: <% $parameters.batch %> <% $parameters.model %>\n";
}

void spinUntil(const std::function<bool()> &done, int limitMs)
{
    QDeadlineTimer deadline(limitMs);
    QTimer wake; // processEvents() with a limit of its own does not sleep
    wake.setInterval(limitMs);
    wake.start();
    while (!done() && !deadline.hasExpired()) {
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
    }
}

void spinFor(int ms)
{
    bool over = false;
    QTimer::singleShot(ms, [&over] { over = true; });
    spinUntil([&over] { return over; }, ms + 1000);
}

void press(QWidget *widget, char key)
{
    const int code = key == '\b' ? int(Qt::Key_Backspace) : int(QChar::fromLatin1(key).toUpper().unicode());
    const QString text = key == '\b' ? QString() : QString(QChar::fromLatin1(key));
    QKeyEvent down(QEvent::KeyPress, code, Qt::NoModifier, text);
    QCoreApplication::sendEvent(widget, &down);
    QKeyEvent up(QEvent::KeyRelease, code, Qt::NoModifier, text);
    QCoreApplication::sendEvent(widget, &up);
}

// What somebody types at the end of a command, and takes back.
char keyAt(int i)
{
    static const char keys[] = " --epochs 12\b\b\b\b\b\b\b\b\b\b\b\b";
    return keys[size_t(i) % std::strlen(keys)];
}

// Where the time of the window's thread goes. Painting is told apart from the rest, which is our slots, layouts, and
// what Scintilla does with a key.
class Application : public QApplication
{
public:
    using QApplication::QApplication;
    bool notify(QObject *receiver, QEvent *event) override
    {
        if (m_depth++ > 0) {
            const bool result = QApplication::notify(receiver, event);
            --m_depth;
            return result;
        }
        const bool painting = event->type() == QEvent::UpdateRequest || event->type() == QEvent::Paint
            || event->type() == QEvent::Expose;
        QByteArray name;
        if (listing) {
            name = QByteArray(receiver->metaObject()->className()) + ' ' + receiver->objectName().toUtf8() + ' '
                + QByteArray::number(int(event->type()));
        }
        const double before = threadMs();
        const bool result = QApplication::notify(receiver, event);
        const double spent = threadMs() - before;
        (painting ? paint : rest) += spent;
        if (listing) {
            where[name].first += spent;
            ++where[name].second;
        }
        --m_depth;
        return result;
    }
    double paint = 0;
    double rest = 0;
    bool listing = false;
    std::map<QByteArray, std::pair<double, int>> where;

private:
    int m_depth = 0;
};
Application *app = nullptr;

struct Cost {
    std::vector<double> own; // slots, layouts, Scintilla
    std::vector<double> paint;
    template <typename Do> void measure(const Do &run)
    {
        const double ownBefore = app->rest;
        const double paintBefore = app->paint;
        run();
        own.push_back(app->rest - ownBefore);
        paint.push_back(app->paint - paintBefore);
    }
};

struct Typed {
    std::vector<double> refresh; // from the last key of a burst to the new snapshot, painted
    std::vector<double> work; // processor time of all threads in that
    std::vector<double> stop; // longest time in which the window did not answer, for each burst
    qsizetype lines = 0;
};

class Peer
{
public:
    explicit Peer(const QByteArray &text)
    {
        m_view.setUtf8(true);
        m_view.setLexer(&m_lexer);
        m_view.resize(586, 700);
        m_view.setText(QString::fromUtf8(text));
        m_view.show();
        m_view.activateWindow();
        m_view.setFocus();
        spinFor(200);
        const long at = text.indexOf(" --lr", text.size() / 2);
        m_view.SendScintilla(QsciScintillaBase::SCI_GOTOPOS, static_cast<unsigned long>(at));
        spinFor(100);
    }
    void key(int i)
    {
        press(&m_view, keyAt(i));
        spinFor(30);
    }

private:
    QsciScintilla m_view;
    QsciLexerYAML m_lexer;
};

class Page
{
public:
    explicit Page(const QByteArray &text)
    {
        m_page.resize(1192, 820);
        QObject::connect(&m_page, &DesignerPage::problemsChanged, &m_page, [this] { ++m_snapshots; });
        m_page.newDocument(text, QStringLiteral("typing.pai.yaml"));
        m_page.show();
        m_page.activateWindow();
        spinUntil([this] { return m_page.canRun(); }, 20000);
        if (!m_page.canRun()) {
            std::fprintf(stderr, "bench_typing: the job is not valid: %s\n",
                qPrintable(m_page.runBlockers().join(QLatin1Char('\n'))));
            std::exit(2);
        }
        m_text = m_page.findChild<CodeView *>(QStringLiteral("yamlText"));
        m_text->setFocus();
        m_text->setCaret(text.indexOf(" --lr", text.size() / 2));
        spinFor(400);
    }
    // One key and everything that comes of it.
    void key(int i)
    {
        const int seen = m_snapshots;
        press(m_text, keyAt(i));
        spinUntil([this, seen] { return m_snapshots > seen; }, 3000);
        spinFor(100); // the form follows the caret a little later
    }
    // A burst at a fast typist's speed; how long after its last key everything is up to date.
    void burst(Typed &typed, int keys, int &i)
    {
        QElapsedTimer since;
        double longest = 0;
        QTimer beat;
        QObject::connect(&beat, &QTimer::timeout, &m_page, [&] {
            longest = std::max(longest, double(since.nsecsElapsed()) / 1e6);
            since.restart();
        });
        since.start();
        beat.start(1);
        QElapsedTimer last;
        double cpu = 0;
        double work = 0;
        int seen = 0;
        for (int k = 0; k < keys; ++k) {
            spinFor(70);
            seen = m_snapshots;
            last.start();
            cpu = processMs();
            press(m_text, keyAt(i++));
        }
        // A snapshot of an older text may come first: the last one counts.
        double at = 0;
        spinUntil(
            [&] {
                if (m_snapshots > seen) {
                    seen = m_snapshots;
                    m_page.repaint();
                    at = double(last.nsecsElapsed()) / 1e6;
                    work = processMs() - cpu;
                }
                return last.elapsed() > 700;
            },
            800);
        typed.refresh.push_back(at);
        typed.work.push_back(work);
        typed.stop.push_back(longest);
    }
    qsizetype lines() const { return m_text->lines(); }

private:
    DesignerPage m_page;
    CodeView *m_text = nullptr;
    int m_snapshots = 0;
};

void printWhere(int keys)
{
    std::vector<std::pair<double, QByteArray>> all;
    for (const auto &[name, spent] : app->where) {
        all.push_back({spent.first / keys, name + " x" + QByteArray::number(double(spent.second) / keys, 'f', 1)});
    }
    std::sort(all.rbegin(), all.rend());
    for (size_t i = 0; i < std::min<size_t>(all.size(), 14); ++i) {
        std::printf("    %7.2f ms  %s\n", all[i].first, all[i].second.constData());
    }
    app->where.clear();
}

bool verdict(const char *what, double value, double budget)
{
    const bool good = value <= budget;
    std::printf("  %-46s %7.1f ms  (budget %.0f ms)%s\n", what, value, budget, good ? "" : "  OVER");
    return good;
}

} // namespace

int main(int argc, char **argv)
{
    int keys = 200;
    int bursts = 15;
    bool list = false;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--list") == 0) {
            list = true;
            continue;
        }
        if (std::strcmp(argv[i], "--help") == 0 || i + 1 >= argc) {
            std::printf(
                "Usage: bench_typing [--keys N] [--bursts N] [--list]\n"
                "Exit status 1 when a key in a small job costs over %.0f ms, or a large one is up to date later\n"
                "than %.0f ms after the last key.\n",
                keyBudgetMs, refreshBudgetMs);
            return std::strcmp(argv[i], "--help") == 0 ? 0 : 2;
        }
        if (std::strcmp(argv[i], "--keys") == 0) {
            keys = std::max(1, std::atoi(argv[++i]));
        } else if (std::strcmp(argv[i], "--bursts") == 0) {
            bursts = std::max(1, std::atoi(argv[++i]));
        }
    }
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    const QTemporaryDir folder; // nothing of the user's is read or written
    qputenv("XDG_CONFIG_HOME", folder.path().toUtf8());
    QStandardPaths::setTestModeEnabled(true);
    Application application(argc, argv);
    app = &application;
    TrainyardStyle::install(ThemeMode::Light);

    bool good = true;
    {
        const QByteArray text = jobOf(4, 30);
        Page page(text);
        Peer peer(text);
        Cost ours;
        Cost bare;
        for (int i = 0; i < keys; ++i) {
            app->listing = list;
            ours.measure([&] { page.key(i); });
            app->listing = false;
            bare.measure([&] { peer.key(i); });
        }
        std::printf(
            "a job of %lld lines, %d keys: processor time of the window's thread for a key and all that follows\n",
            static_cast<long long>(page.lines()), keys);
        good = verdict("designer page, slots and layouts, median", median(ours.own), keyBudgetMs) && good;
        std::printf("  %-46s %7.1f ms\n", "designer page, slots and layouts, largest", largest(ours.own));
        std::printf("  %-46s %7.1f ms\n", "designer page, painting, median", median(ours.paint));
        std::printf("  %-46s %7.1f ms\n", "bare QsciScintilla, key, median", median(bare.own));
        std::printf("  %-46s %7.1f ms\n", "bare QsciScintilla, painting, median", median(bare.paint));
        const double all = median(ours.own) + median(ours.paint);
        const double allBare = median(bare.own) + median(bare.paint);
        std::printf("  %-46s %7.1f\n", "both, ratio to bare QsciScintilla", allBare > 0 ? all / allBare : 0);
        printWhere(keys);
    }
    const struct {
        const char *name;
        QByteArray text;
    } large[] = {{"one role", jobOf(1, 9960)}, {"100 roles", jobOf(100, 85)}};
    for (const auto &job : large) {
        Page page(job.text);
        Typed typed;
        int i = 0;
        for (int b = 0; b < bursts; ++b) {
            page.burst(typed, 8, i);
        }
        Peer peer(job.text);
        Cost bare;
        for (int k = 0; k < 50; ++k) {
            bare.measure([&] { peer.key(k); });
        }
        Cost ours;
        app->listing = list;
        for (int k = 0; k < 25; ++k) {
            ours.measure([&] { page.key(i++); });
        }
        app->listing = false;
        std::printf("a job of %lld lines, %s\n", static_cast<long long>(page.lines()), job.name);
        good = verdict("last key to diagnostics and form, median", median(typed.refresh), refreshBudgetMs) && good;
        std::printf("  %-46s %7.1f ms\n", "last key to diagnostics and form, largest", largest(typed.refresh));
        std::printf("  %-46s %7.1f ms\n", "processor time of all threads in that, median", median(typed.work));
        std::printf("  %-46s %7.1f ms\n", "longest stop of the window in a burst, median", median(typed.stop));
        std::printf("  %-46s %7.1f ms\n", "longest stop of the window, largest", largest(typed.stop));
        std::printf("  %-46s %7.1f ms\n", "a key and all that follows, slots and layouts", median(ours.own));
        std::printf("  %-46s %7.1f ms\n", "a key and all that follows, painting", median(ours.paint));
        std::printf(
            "  %-46s %7.1f + %.1f ms\n", "bare QsciScintilla, key and painting", median(bare.own), median(bare.paint));
        printWhere(25);
    }
    return good ? 0 : 1;
}
