// SPDX-License-Identifier: GPL-3.0-or-later
// What users and programs write is shown as it is written: no label, tooltip or message takes it for HTML.
#include "app/gui/questions.h"
#include "app/gui/secretsdialog.h"
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/statusline.h"
#include "app/gui/workbench/tabarea.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/form/designerpage.h"
#include "widgets/hosts/hostspane.h"
#include "widgets/jobs/jobsmodel.h"
#include "widgets/jobs/jobspane.h"
#include "widgets/log/logpane.h"
#include "widgets/tasks/failurepanel.h"
#include "widgets/tasks/previewpage.h"
#include "widgets/tasks/runpage.h"

#include <QAbstractItemView>
#include <QAction>
#include <QLabel>
#include <QMainWindow>
#include <QMessageBox>
#include <QTabBar>
#include <QTest>
#include <QTextDocument>

using namespace trainyard;

namespace
{
// A picture that is a pipe would be waited for without end; the test would stop there.
const QString markup = QStringLiteral("<img src='/nowhere/pipe'><b>bold</b>");

bool wouldRender(const QString &text, Qt::TextFormat format)
{
    const bool isRich = format == Qt::RichText || (format == Qt::AutoText && Qt::mightBeRichText(text));
    if (!isRich || !text.contains(QStringLiteral("img src"))) {
        return false;
    }
    QTextDocument document;
    document.setHtml(text);
    return document.toPlainText().count(QStringLiteral("<img src")) != text.count(QStringLiteral("img src"));
}

void lookAtModel(const QAbstractItemModel *model, const QModelIndex &parent, QStringList &wrong, int &seen)
{
    for (int row = 0; row < model->rowCount(parent); ++row) {
        for (int column = 0; column < model->columnCount(parent); ++column) {
            const QModelIndex at = model->index(row, column, parent);
            const QString tip = at.data(Qt::ToolTipRole).toString();
            seen += tip.contains(QStringLiteral("img src")) ? 1 : 0;
            if (wouldRender(tip, Qt::AutoText)) {
                wrong.append(QStringLiteral("tip of a row: ") + tip);
            }
        }
        lookAtModel(model, model->index(row, 0, parent), wrong, seen);
    }
}

// Everything below it that shows text. `seen` counts where the markup is.
QStringList rendered(QWidget *root, int *found = nullptr)
{
    QStringList wrong;
    int seen = 0;
    QList<QWidget *> widgets = root->findChildren<QWidget *>();
    widgets.prepend(root);
    for (QWidget *widget : std::as_const(widgets)) {
        widget->ensurePolished();
        const QString name = QString::fromLatin1(widget->metaObject()->className());
        seen += widget->toolTip().contains(QStringLiteral("img src")) ? 1 : 0;
        if (wouldRender(widget->toolTip(), Qt::AutoText)) {
            wrong.append(name + QStringLiteral(" tip: ") + widget->toolTip());
        }
        if (const auto *label = qobject_cast<QLabel *>(widget)) {
            seen += label->text().contains(QStringLiteral("img src")) ? 1 : 0;
            if (wouldRender(label->text(), label->textFormat())) {
                wrong.append(name + QStringLiteral(": ") + label->text());
            }
        }
        if (const auto *line = qobject_cast<ElidedLabel *>(widget)) { // drawn as it is
            seen += line->text().contains(QStringLiteral("img src")) ? 1 : 0;
        }
        if (const auto *view = qobject_cast<QAbstractItemView *>(widget); view && view->model()) {
            lookAtModel(view->model(), {}, wrong, seen);
        }
        if (const auto *tabs = qobject_cast<QTabBar *>(widget)) {
            for (int i = 0; i < tabs->count(); ++i) {
                if (wouldRender(tabs->tabToolTip(i), Qt::AutoText)) {
                    wrong.append(QStringLiteral("tab: ") + tabs->tabToolTip(i));
                }
            }
        }
        const QList<QAction *> actions = widget->actions();
        for (const QAction *action : actions) {
            if (wouldRender(action->toolTip(), Qt::AutoText)) {
                wrong.append(QStringLiteral("action: ") + action->toolTip());
            }
        }
    }
    if (found) {
        *found = seen;
    }
    return wrong;
}

JobSummary evilJob(State state)
{
    JobSummary job;
    job.id = 7;
    job.uuid = QStringLiteral("u-7");
    job.name = markup;
    job.user = markup;
    job.state = state;
    job.file = QStringLiteral("/tmp/") + markup;
    job.hosts = {markup};
    job.retries = 1;
    job.reason = state == State::Waiting ? QStringLiteral("wait.host-offline") : QStringLiteral("exit.user");
    job.reasonArgs
        = {{QStringLiteral("host"), markup}, {QStringLiteral("line"), markup}, {QStringLiteral("solution"), markup},
            {QStringLiteral("status"), 3}, {QStringLiteral("name"), markup}, {QStringLiteral("role"), markup}};
    job.exitCode = isFinal(state) ? std::optional(255) : std::nullopt;
    return job;
}

TaskInfo evilTask(State state)
{
    TaskInfo task;
    task.role = markup;
    task.state = state;
    task.host = markup;
    task.reason = QStringLiteral("launch.cwd-missing");
    task.reasonArgs = {{QStringLiteral("path"), markup}, {QStringLiteral("folder"), markup}};
    task.ports = {{markup, {4711}}};
    task.exitCode = isFinal(state) ? std::optional(255) : std::nullopt;
    task.tries = 1;
    return task;
}
} // namespace

class TstPlainText : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QVERIFY(m_fixture.makeFolders()); }
    void labelsArePlain();
    void captionsAreRead();
    void messageBoxesArePlain();
    void barsKnowBoldAndBreaksOnly();
    void tipsAreEscapedWhereNeeded();
    void aRun_data();
    void aRun();
    void jobsAndHosts();
    void aPreview();
    void dialogs();
    void aDocument();

private:
    WindowFixture m_fixture;
};

void TstPlainText::labelsArePlain()
{
    for (QLabel *label :
        {plainLabel(markup), mutedLabel(markup), smallMutedLabel(markup), semiboldLabel(markup), headingLabel(markup),
            titleLabel(markup), static_cast<QLabel *>(new ColourLabel(markup, Colour::Failed))}) {
        QCOMPARE(label->textFormat(), Qt::PlainText);
        QCOMPARE(label->text(), markup);
        delete label;
    }
    QLabel foreign(markup); // of a dialog of Qt's own, or forgotten
    foreign.ensurePolished();
    QCOMPARE(foreign.textFormat(), Qt::PlainText);
}

// What is written for Qt, with marks of keys, is read without them; the names in it stay.
void TstPlainText::captionsAreRead()
{
    QCOMPARE(readCaption(QStringLiteral("&Run")), QStringLiteral("Run"));
    QCOMPARE(readCaption(QStringLiteral("Save && E&xit…")), QStringLiteral("Save & Exit…"));
    QCOMPARE(readCaption(QStringLiteral("a&")), QStringLiteral("a"));
    for (const QString &name : {QStringLiteral("a&b"), QStringLiteral("A && B"), QStringLiteral("&&&"), QString()}) {
        QCOMPARE(readCaption(plainCaption(name)), name);
    }
    QMainWindow window;
    const ActionRegistry registry(&window);
    QAction plot(QStringLiteral("Save the plot of %1…").arg(plainCaption(QStringLiteral("precision & recall"))));
    QCOMPARE(
        registry.paletteEntries({&plot}).constFirst().text, QStringLiteral("Save the plot of precision & recall…"));
}

void TstPlainText::messageBoxesArePlain()
{
    QMessageBox box(QMessageBox::NoIcon, markup, markup);
    box.setInformativeText(markup);
    box.show();
    int seen = 0;
    QCOMPARE(rendered(&box, &seen), QStringList());
    QCOMPARE(seen, 2);
}

void TstPlainText::barsKnowBoldAndBreaksOnly()
{
    InfoBar bar;
    bar.show(InfoBar::Kind::Failed, QStringLiteral("<b>a</b><br>") + markup);
    QVERIFY2(bar.text().startsWith(QStringLiteral("<b>a</b><br>&lt;img")), qPrintable(bar.text()));
    QCOMPARE(rendered(&bar), QStringList());
    bar.setText(QStringLiteral("x &lt;b&gt; <a href='x'>y</a>"));
    QCOMPARE(bar.accessibleName(), QStringLiteral("x <b> <a href='x'>y</a>"));
}

void TstPlainText::tipsAreEscapedWhereNeeded()
{
    QCOMPARE(plainTip(QStringLiteral("a < b & c")), QStringLiteral("a < b & c"));
    QVERIFY(!wouldRender(plainTip(markup), Qt::AutoText));
    QTextDocument document;
    document.setHtml(plainTip(QStringLiteral("<b>two</b>\nlines &amp;")));
    QCOMPARE(document.toPlainText(), QStringLiteral("<b>two</b>\nlines &amp;"));
    // A long line would be as wide as the screen: as markup it is wrapped.
    QVERIFY(Qt::mightBeRichText(plainTip(QString(200, QLatin1Char('x')))));
}

void TstPlainText::aRun_data()
{
    QTest::addColumn<State>("state");
    QTest::newRow("waits") << State::Waiting;
    QTest::newRow("runs") << State::Running;
    QTest::newRow("failed") << State::Failed;
}

void TstPlainText::aRun()
{
    QFETCH(State, state);
    RunPage page;
    page.resize(1200, 800);
    page.show();
    JobDetail detail;
    detail.summary = evilJob(state);
    detail.yaml = markup.toUtf8();
    AttemptInfo first;
    first.state = State::Failed;
    first.exitCode = 255;
    first.triggerRule = QStringLiteral("minFailed");
    first.triggerRole = markup;
    first.triggerIndex = 0;
    AttemptInfo second = first;
    second.index = 1;
    second.state = state;
    detail.attempts = {first, second};
    KeptTask held;
    held.role = markup;
    held.host = markup;
    detail.held = {held};
    ServiceInfo service;
    service.name = markup;
    service.role = markup;
    service.state = QStringLiteral("missing");
    detail.services = {service};
    page.setDetail(detail);
    page.setTasks(1, {evilTask(state)});
    page.setEarlierTries(1, markup, 0, {evilTask(State::Failed)});
    page.setError(markup);
    page.logPane()->setLog(markup, {}, markup);
    auto *failure = page.findChild<FailurePanel *>();
    QVERIFY(failure);
    failure->setFailure(markup, markup);
    failure->setEvidence(markup, 0, {markup, markup});
    int seen = 0;
    QCOMPARE(rendered(&page, &seen), QStringList());
    QVERIFY2(seen > 8, qPrintable(QString::number(seen)));
}

void TstPlainText::jobsAndHosts()
{
    JobsPane jobs;
    jobs.model()->setJobs({evilJob(State::Waiting), evilJob(State::Failed)});
    jobs.show();
    int seen = 0;
    QCOMPARE(rendered(&jobs, &seen), QStringList());
    QVERIFY(seen > 0);
    HostsPane hosts;
    HostInfo host;
    host.id = host.label = host.target = markup;
    host.state = HostState::Failed;
    host.error = QStringLiteral("host.login-refused");
    host.errorArgs = {{QStringLiteral("host"), markup}, {QStringLiteral("text"), markup}};
    HostInfo here = host;
    here.id = QStringLiteral("local");
    here.target.clear();
    here.state = HostState::Online;
    GpuInfo gpu;
    gpu.name = markup;
    here.gpus = {gpu};
    hosts.setHosts({host, here});
    hosts.setAddError(markup);
    hosts.show();
    QCOMPARE(rendered(&hosts, &seen), QStringList());
    QVERIFY(seen > 1);
}

void TstPlainText::aPreview()
{
    PreviewPage page;
    page.setJob(markup);
    PlanReply plan;
    PlannedTask task;
    task.role = task.host = task.image = task.containerCommand = task.runIn = markup;
    task.ports = {{markup, {4711}}};
    task.environment = {{markup, markup}};
    task.prerequisites = {markup};
    task.mounts = {markup};
    task.script = markup;
    plan.tasks = {task, task};
    plan.waitReason = QStringLiteral("wait.host-offline");
    plan.waitArgs = {{QStringLiteral("host"), markup}};
    page.setPlan(plan, {}, QTime(12, 0));
    page.show();
    int seen = 0;
    QCOMPARE(rendered(&page, &seen), QStringList());
    QVERIFY(seen > 3);
    page.setErrors({markup, markup}, markup);
    QCOMPARE(rendered(&page), QStringList());
    page.setEngine(PreviewPage::EngineState::Gone, markup);
    QCOMPARE(rendered(&page), QStringList());
}

void TstPlainText::dialogs()
{
    const Question asked{QStringLiteral("q"), markup, QStringLiteral("hostKey"), markup};
    QuestionDialog question(asked, nullptr);
    question.setAttribute(Qt::WA_DeleteOnClose, false);
    question.show();
    int seen = 0;
    QCOMPARE(rendered(&question, &seen), QStringList());
    QVERIFY(seen >= 2);
    SecretsDialog secrets(markup, {markup}, nullptr);
    secrets.setAttribute(Qt::WA_DeleteOnClose, false);
    secrets.show();
    QCOMPARE(rendered(&secrets, &seen), QStringList());
    QVERIFY(seen >= 1);
    StatusLine line;
    line.setEngine(EngineClient::Status::Failed, 0, markup);
    QCOMPARE(rendered(&line, &seen), QStringList());
    QVERIFY(seen >= 1);
}

void TstPlainText::aDocument()
{
    QByteArray yaml = "protocolVersion: 2\nname: \"@\"\ntype: job\ndescription: \"@\"\ncontributor: \"@\"\n"
                      "parameters: {\"@\": \"@\"}\nsecrets: {\"k@\": \"@\"}\n\"other@\": \"@\"\n"
                      "prerequisites:\n  - {name: \"@\", type: dockerimage, uri: \"@\"}\n"
                      "taskRoles:\n  \"@\":\n    instances: 1\n    dockerImage: \"@\"\n"
                      "    resourcePerInstance: {cpu: 1, memoryMB: 16, gpu: 0, ports: {\"@\": 1}}\n"
                      "    commands:\n      - \"echo @\"\n";
    yaml.replace('@', markup.toUtf8());
    const auto window = m_fixture.makeWindow();
    window->show();
    const QString file = m_fixture.write(QStringLiteral("<b>x<img src=y>.pai.yaml"), yaml);
    QVERIFY(!file.isEmpty());
    window->openFiles({file});
    window->openFiles({m_fixture.path(QStringLiteral("no <img src='gone'>.yaml"))}); // says that it is not there
    QTRY_VERIFY(window->findChild<DesignerPage *>());
    int seen = 0;
    QStringList wrong;
    QTRY_VERIFY((wrong = rendered(window.get(), &seen), seen > 3));
    QCOMPARE(wrong, QStringList());
}

TRAINYARD_GUI_TEST(TstPlainText)
#include "tst_plaintext.moc"
