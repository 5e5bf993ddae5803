// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/hoststeps.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/labels.h"
#include "widgets/common/meters.h"
#include "widgets/hosts/clusterlist.h"
#include "widgets/hosts/environmentsview.h"
#include "widgets/hosts/gputable.h"
#include "widgets/hosts/hostcause.h"
#include "widgets/hosts/hostfilesview.h"
#include "widgets/hosts/hosthourview.h"
#include "widgets/hosts/hostspage.h"
#include "widgets/hosts/shapemark.h"
#include "widgets/hosts/steplist.h"
#include "widgets/text/hosttexts.h"

#include <QAbstractItemView>
#include <QAction>
#include <QClipboard>
#include <QCompleter>
#include <QGuiApplication>
#include <QImage>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <memory>

using namespace trainyard;
using namespace Qt::StringLiterals;

class TstHostsPage : public QObject
{
    Q_OBJECT

    static HostInfo local()
    {
        HostInfo host;
        host.id = u"local"_s;
        host.label = u"This computer"_s;
        host.state = HostState::Online;
        host.cpus = 8;
        host.memoryMiB = 65536;
        host.steps = {{hoststep::agent, StepState::Passed, {}, {{u"version"_s, u"1.0"_s}, {u"user"_s, u"mia"_s}}, 12},
            {hoststep::gpus, StepState::Passed, {}, {}, -1}};
        GpuInfo free{.index = 0, .uuid = u"a"_s, .name = u"NVIDIA A100"_s, .memoryMiB = 81920};
        free.memoryUsedMiB = 1024;
        free.utilPercent = 3;
        free.temperature = 41;
        GpuInfo ours = free;
        ours.index = 1;
        ours.jobId = 44;
        ours.jobName = u"cifar10"_s;
        ours.task = u"worker/0"_s;
        GpuInfo foreign = free;
        foreign.index = 2;
        foreign.foreign = true;
        foreign.holders = {u"20931 python <b>x</b> (jun)"_s, u"7"_s};
        host.gpus = {free, ours, foreign};
        host.jobs = {{44, u"cifar10"_s, 2}, {45, u"bert<b>"_s, 1}};
        return host;
    }
    static HostInfo lab()
    {
        HostInfo host;
        host.id = u"lab3"_s;
        host.label = u"lab3"_s;
        host.target = u"mia@10.20.0.13:2222"_s;
        host.ssh = u"ssh -p 2222 mia@10.20.0.13"_s;
        host.state = HostState::Offline;
        host.error = u"host.unreachable"_s;
        host.errorArgs = {{u"host"_s, u"lab3"_s}, {u"message"_s, u"Connection refused"_s}};
        host.steps
            = {{hoststep::resolve, StepState::Passed, {}, {{u"address"_s, u"10.20.0.13"_s}, {u"port"_s, 2222}}, 18},
                {hoststep::connect, StepState::Failed, host.error, host.errorArgs, 400},
                {hoststep::key, StepState::Waiting, {}, {}, -1}};
        host.banner = u"Welcome, <img src=x>"_s;
        return host;
    }
    QLabel *step(const QString &id) const { return m_page->findChild<QLabel *>(u"step-"_s + id); }
    QPushButton *button(const char *name) const { return m_page->findChild<QPushButton *>(QLatin1StringView(name)); }

private Q_SLOTS:
    void init()
    {
        m_page = std::make_unique<HostsPage>();
        m_page->resize(1100, 700);
        m_page->setHosts({local(), lab()});
        m_page->show();
    }

    // Half of a small window at 150 %: nothing is scrolled sideways, and a word without a place to break at is broken.
    void longWordsKeepThePageNarrow()
    {
        HostInfo host = local();
        const QString folder = u"/home/ada/"_s + QString(80, u'x');
        host.steps = {{hoststep::disk, StepState::Passed, {}, {{u"folder"_s, folder}, {u"freeMiB"_s, 58000}}, 3}};
        host.jobs = {{44, QString(200, u'n'), 1}};
        m_page->setHosts({host});
        m_page->resize(640, 480);
        QTRY_VERIFY(m_page->width() <= 640);
        const auto areas = m_page->findChildren<QScrollArea *>();
        for (QScrollArea *area : areas) {
            if (!area->widget()) {
                continue;
            }
            QTRY_VERIFY2(!area->horizontalScrollBar()->isVisible(), qPrintable(QString::number(area->width())));
        }
        const QLabel *label = step(hoststep::disk);
        QTRY_VERIFY(label && label->isVisible());
        QTRY_VERIFY2(label->text().contains(u'\n'), qPrintable(label->text()));
        QCOMPARE(label->text().remove(u'\n').count(u'x'), 80);
        QVERIFY(label->text().contains(folder.first(5))); // only the long word is broken
        // As many lines are drawn on a screen with a scale as the row has room for.
        QImage screen(4, 4, QImage::Format_RGB32);
        screen.setDevicePixelRatio(1.5);
        QPainter painter(&screen);
        painter.setFont(label->font());
        const auto drawnHeight = [&] {
            const QRect room(0, 0, label->contentsRect().width(), 1000);
            return painter.boundingRect(room, Qt::TextWordWrap, label->text()).height();
        };
        QTRY_VERIFY(drawnHeight() <= label->contentsRect().height() + 1);
        QCOMPARE(label->textInteractionFlags(), Qt::NoTextInteraction); // nobody copies the breaks
    }

    // One that was added last stands elsewhere when the engine lists its hosts anew.
    void hostsInAnotherOrder()
    {
        HostInfo added = lab();
        added.id = added.label = u"alpha"_s;
        m_page->setHosts({local(), lab(), added});
        m_page->choose(u"lab3"_s);
        m_page->setHosts({local(), added, lab()});
        const auto *list = m_page->findChild<QListWidget *>(u"hostList"_s);
        QStringList labels;
        for (int row = 0; row < list->count(); ++row) {
            labels.append(list->item(row)->data(Qt::UserRole).value<HostInfo>().label);
        }
        QCOMPARE(labels, (QStringList{u"This computer"_s, u"alpha"_s, u"lab3"_s}));
        QCOMPARE(m_page->chosen(), u"lab3"_s);
        QCOMPARE(list->selectedItems().size(), 1);
    }

    // What is asked of hosts, and told, is about the one that is chosen, and not about rows that are passed.
    void rowsThatArePassedAreNotChosen()
    {
        const auto online = [](const QString &id) {
            HostInfo host = lab();
            host.id = host.label = host.target = id;
            host.state = HostState::Online;
            host.error.clear();
            return host;
        };
        const HostInfo a = online(u"a"_s), b = online(u"b"_s), c = online(u"c"_s);
        m_page->setHosts({local(), a, b, c});
        m_page->choose(u"c"_s);
        const QSignalSpy chosen(m_page.get(), &HostsPage::chosenChanged), files(m_page.get(), &HostsPage::filesWanted),
            hour(m_page.get(), &HostsPage::hourWanted), environments(m_page.get(), &HostsPage::environmentsWanted);
        const auto told = [&] { return chosen.size() + files.size() + hour.size() + environments.size(); };
        m_page->setHosts({local(), c, a, b});
        QCOMPARE(m_page->chosen(), u"c"_s);
        QCOMPARE(told(), 0);
        m_page->setHosts({c, b});
        m_page->setHosts({local(), a, b, c});
        QCOMPARE(m_page->chosen(), u"c"_s);
        QCOMPARE(told(), 0);
        const auto *list = m_page->findChild<QListWidget *>(u"hostList"_s);
        QCOMPARE(list->selectedItems().size(), 1);
        m_page->setHosts({local(), a, b}); // another one is chosen then, once
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(files.size(), 1);
        QCOMPARE(files.first().first().value<HostInfo>().id, m_page->chosen());
    }

    // Of a host that asks for a login, the button that checks it again is for that.
    void loginIsOffered()
    {
        HostInfo host = lab();
        for (const auto &[state, words] :
            {std::pair{HostState::NeedsLogin, u"Log in…"_s}, std::pair{HostState::Offline, u"Check again"_s}}) {
            host.state = state;
            m_page->setHosts({local(), host});
            m_page->choose(u"lab3"_s);
            QCOMPARE(button("hostCheck")->text(), words);
            QCOMPARE(button("hostCheck")->accessibleName(), words);
        }
    }

    // No login helps with another key: the old one has to be forgotten first.
    void changedKeyIsNoLogin()
    {
        HostInfo host = lab();
        host.state = HostState::NeedsLogin;
        host.error = u"host.key-changed"_s;
        host.errorArgs = {{u"name"_s, u"lab3"_s}, {u"ssh"_s, host.ssh}, {u"remove"_s, u"ssh-keygen -R lab3"_s},
            {u"fingerprint"_s, u"SHA256:New"_s}};
        host.steps[1] = {hoststep::connect, StepState::Passed, {}, {}, 20};
        host.steps[2] = {hoststep::key, StepState::Failed, host.error, host.errorArgs, 30};
        m_page->setHosts({local(), host});
        m_page->choose(u"lab3"_s);
        QCOMPARE(button("hostCheck")->text(), u"Check again"_s);
        QVERIFY(step(hoststep::key)->text().contains(u"SHA256:New"_s));
        QVERIFY2(hostStateText(host).startsWith(u"its host key has changed"_s), qPrintable(hostStateText(host)));
        QTest::mouseClick(button("hostCopyCommand"), Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text(), u"ssh-keygen -R lab3"_s);
        QVERIFY(!button("hostShell")->isVisible());
    }

    // A server that takes only keys, and none of the user's, asks for nothing that could be typed.
    void refusedKeyIsNoLogin()
    {
        HostInfo host = lab();
        host.state = HostState::NeedsLogin;
        host.error = u"host.needs-login.key"_s;
        host.errorArgs = {{u"computer"_s, u"lab3"_s}, {u"user"_s, u"mia"_s}, {u"ssh"_s, host.ssh},
            {u"methods"_s, QJsonArray{u"publickey"_s}}, {u"keys"_s, QJsonArray{u"/home/mia/.ssh/id"_s}},
            {u"publicKeys"_s, QJsonArray{u"/home/mia/.ssh/id.pub"_s}}};
        host.steps[1] = {hoststep::connect, StepState::Passed, {}, {}, 20};
        host.steps[2] = {hoststep::key, StepState::Passed, {}, {}, 20};
        host.steps.append({hoststep::login, StepState::Failed, host.error, host.errorArgs, 30});
        m_page->setHosts({local(), host});
        m_page->choose(u"lab3"_s);
        QCOMPARE(button("hostCheck")->text(), u"Check again"_s);
        QVERIFY2(hostStateText(host).startsWith(u"accepts none of your keys"_s), qPrintable(hostStateText(host)));
        const auto says = [this](const QString &words) { return step(hoststep::login)->text().contains(words); };
        QTRY_VERIFY2(
            says(u"/home/mia/.ssh/id.pub"_s), qPrintable(step(hoststep::login)->text())); // once it is laid out
        QVERIFY2(says(u"authorized_keys"_s), qPrintable(step(hoststep::login)->text()));
        host.error = u"host.needs-login.password"_s; // it takes that as well
        m_page->setHosts({local(), host});
        QCOMPARE(button("hostCheck")->text(), u"Log in…"_s);
    }

    // Why the last login failed is not said any more once the next one has passed.
    void refusalGoesWithTheLogin()
    {
        HostInfo refused = lab();
        refused.state = HostState::NeedsLogin;
        refused.error = u"host.needs-login.locked-wrong"_s;
        refused.errorArgs = {{u"host"_s, u"lab3"_s}, {u"key"_s, u"/home/mia/.ssh/id"_s}};
        for (HostStep &step : refused.steps) {
            step = {step.id, StepState::Passed, {}, {}, 1};
        }
        refused.steps.append({hoststep::login, StepState::Failed, refused.error, refused.errorArgs, 30});
        m_page->setHosts({local(), refused});
        m_page->choose(u"lab3"_s);
        const auto isSaid = [this] {
            const QList<QLabel *> labels = m_page->findChildren<QLabel *>();
            return std::any_of(labels.cbegin(), labels.cend(),
                [](const QLabel *label) { return label->isVisible() && label->text().contains(u"pass phrase"_s); });
        };
        QTRY_VERIFY(isSaid());
        refused.state = HostState::Connecting; // the error stays until there is another result
        refused.steps.last() = {hoststep::login, StepState::Running, {}, {}, -1};
        m_page->setHosts({local(), refused});
        QVERIFY(isSaid());
        refused.steps.last() = {hoststep::login, StepState::Passed, {}, {{u"method"_s, u"publickey"_s}}, 40};
        m_page->setHosts({local(), refused});
        QVERIFY(!isSaid());
    }

    void stepsOfTheChosen()
    {
        QCOMPARE(m_page->chosen(), u"local"_s);
        QVERIFY(step(hoststep::agent)->text().contains(u"1.0"_s));
        m_page->choose(u"lab3"_s);
        QVERIFY(!step(hoststep::agent));
        QCOMPARE(step(hoststep::resolve)->text(), u"10.20.0.13, port 2222"_s);
        QVERIFY(step(hoststep::connect)->text().contains(u"Connection refused"_s));
        QCOMPARE(step(hoststep::key)->text(), QString());
        for (const QLabel *label : m_page->findChildren<QLabel *>()) {
            QVERIFY2(label->textFormat() == Qt::PlainText || !label->text().contains(u'<'), qPrintable(label->text()));
        }
        // While it is looked at, the way goes on.
        HostInfo reached = lab();
        reached.state = HostState::Connecting;
        reached.error.clear();
        reached.steps[1] = {hoststep::connect, StepState::Passed, {}, {{u"software"_s, u"OpenSSH_9.6"_s}}, 20};
        m_page->setHosts({local(), reached});
        QCOMPARE(m_page->chosen(), u"lab3"_s);
        QCOMPARE(step(hoststep::connect)->text(), u"OpenSSH_9.6"_s);
    }

    // They are asked for once when the host is there to tell, and again when it comes back.
    // What has no place in the words of ssh: what to look at, and the way to try it by hand.
    void causeBelowTheStepThatFailed()
    {
        auto *cause = m_page->findChild<HostCause *>();
        QVERIFY(cause && !cause->isVisible()); // this computer is fine
        m_page->choose(u"lab3"_s);
        QTRY_VERIFY(cause->isVisible());
        const auto bottom
            = [this](const QWidget *widget) { return widget->mapTo(m_page.get(), QPoint(0, widget->height())).y(); };
        QTRY_VERIFY(bottom(cause) > bottom(step(hoststep::connect)) && bottom(cause) <= bottom(step(hoststep::key)));
        QVERIFY(cause->findChild<QLabel *>(u"hostAdvice"_s)->text().contains(u"no ssh server answers"_s));
        QTest::mouseClick(button("hostCopyCommand"), Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text(), u"ssh -p 2222 mia@10.20.0.13"_s);
        QSignalSpy shells(m_page.get(), &HostsPage::shellRequested);
        QTest::mouseClick(button("hostShell"), Qt::LeftButton);
        QCOMPARE(shells.value(0).value(0).value<HostInfo>().id, u"lab3"_s);
        // Steps that were not tried have no shape, those that passed and failed have theirs, and the head has that of
        // the host.
        QList<std::optional<StateShape>> shapes;
        for (const ShapeMark *mark : step(hoststep::connect)->parentWidget()->findChildren<ShapeMark *>()) {
            shapes.append(mark->shape());
        }
        const QList<std::optional<StateShape>> wanted{StateShape::Succeeded, StateShape::Failed, std::nullopt};
        QStringList said;
        for (const auto &shape : shapes) {
            said.append(shape ? QString::number(int(*shape)) : u"-"_s);
        }
        QVERIFY2(shapes == wanted, qPrintable(said.join(u' ')));
        const QList<ShapeMark *> marks = m_page->findChildren<ShapeMark *>();
        QVERIFY(std::any_of(
            marks.cbegin(), marks.cend(), [](const ShapeMark *mark) { return mark->shape() == StateShape::Lost; }));
        // While it is tried again, what the last check has found stands, and so does what is said of it.
        HostInfo again = lab();
        again.state = HostState::Connecting;
        again.error.clear();
        for (HostStep &step : again.steps) {
            step = {step.id, StepState::Waiting, {}, {}, -1};
        }
        const int height = cause->height();
        m_page->setHosts({local(), again});
        QVERIFY(cause->isVisible() && cause->findChild<QLabel *>(u"hostAdvice"_s)->isVisible());
        QCOMPARE(cause->height(), height);
        // While it is tried for the first time, what comes is still to come.
        HostInfo fresh = lab();
        fresh.state = HostState::Connecting;
        fresh.error.clear();
        fresh.id = fresh.label = u"lab4"_s;
        fresh.steps = {{hoststep::resolve, StepState::Waiting, {}, {}, -1}};
        m_page->setHosts({fresh});
        QTRY_VERIFY(!cause->isVisible());
        const auto *first = step(hoststep::resolve)->parentWidget()->findChild<ShapeMark *>();
        QVERIFY(first->shape() == StateShape::Waiting);
    }

    void filesOfTheChosen()
    {
        QSignalSpy wanted(m_page.get(), &HostsPage::filesWanted), clean(m_page.get(), &HostsPage::cleanRequested),
            empty(m_page.get(), &HostsPage::emptyRequested);
        m_page->choose(u"lab3"_s);
        QVERIFY(!m_page->files()->isVisible());
        HostInfo online = lab();
        online.state = HostState::Online;
        online.error.clear();
        m_page->setHosts({local(), online});
        m_page->setHosts({local(), online});
        QCOMPARE(wanted.size(), 1);
        QVERIFY(m_page->files()->isVisible() && !button("hostClean")->isEnabled());
        api::HostFiles files;
        files.host = u"lab3"_s;
        files.programFolder = u"/home/mia/<b>.cache"_s;
        files.programs = files.processes = 1;
        files.programBytes = 2'400'000;
        files.processBytes = 4 << 20;
        files.jobs = 12;
        files.jobBytes = 3LL << 30;
        m_page->files()->setFiles(files);
        const auto shown = [this] {
            QStringList texts;
            for (const ElidedLabel *label : m_page->files()->findChildren<ElidedLabel *>()) {
                texts.append(label->text());
            }
            return texts.join(u'|');
        };
        QVERIFY2(shown().contains(u"12 folders, 3 GiB"_s), qPrintable(shown()));
        QVERIFY(shown().contains(u"/home/mia/<b>.cache"_s));
        QVERIFY(!button("hostClean")->isEnabled() && button("hostEmpty")->isEnabled()); // nothing that nobody needs
        files.leftJobs = 1;
        files.leftBytes = 1 << 20;
        m_page->files()->setFiles(files);
        QVERIFY(shown().contains(u"1 folder, 1 MiB"_s));
        button("hostClean")->click();
        QCOMPARE(clean.size(), 1);
        QCOMPARE(clean.at(0).at(0).toString(), u"lab3"_s);
        button("hostEmpty")->click();
        QCOMPARE(empty.size(), 1);
        m_page->setHosts({local(), lab()});
        QVERIFY(!m_page->files()->isVisible());
        m_page->setHosts({local(), online});
        QCOMPARE(wanted.size(), 2);
        m_page->choose(u"local"_s);
        QVERIFY(!m_page->files()->isVisible());
        // A host without anything has nothing to remove.
        m_page->choose(u"lab3"_s);
        m_page->files()->setFiles({});
        QVERIFY(!button("hostClean")->isEnabled() && !button("hostEmpty")->isEnabled());
    }

    // A cluster in the place of the host, or another host, neither loses an answer nor shows that of somebody else.
    void filesComeLate()
    {
        HostInfo online = lab();
        online.state = HostState::Online;
        online.error.clear();
        HostInfo other = online;
        other.id = other.label = other.target = u"lab5"_s;
        m_page->setHosts({local(), online, other});
        m_page->choose(u"lab3"_s);
        m_page->files()->setWaiting(u"looking…"_s);
        const auto *note = m_page->findChild<QLabel *>(u"hostFilesNote"_s);
        ShownCluster cluster;
        cluster.info.id = u"slurm:lab"_s;
        m_page->clusters()->setClusters({cluster});
        m_page->choose(cluster.info.id);
        QCOMPARE(m_page->chosen(), cluster.info.id);
        api::HostFiles files;
        files.host = u"lab3"_s;
        files.jobs = 12;
        files.jobBytes = 3LL << 30;
        m_page->setFiles(u"lab3"_s, files);
        QCOMPARE(note->text(), QString());
        QVERIFY(button("hostEmpty")->isEnabled());

        m_page->choose(u"lab5"_s);
        m_page->files()->setWaiting(u"looking…"_s);
        QVERIFY(m_page->files()->findChildren<ElidedLabel *>().isEmpty()); // not those of the host before
        m_page->setFiles(u"lab3"_s, files);
        QCOMPARE(note->text(), u"looking…"_s);
        m_page->setFiles(u"lab5"_s, fail(u"host.away"_s));
        QVERIFY(note->text() != u"looking…"_s && !note->text().isEmpty());
    }

    // What the ssh configuration names is offered, but for what is there already.
    void offersKnownNames()
    {
        auto *address = m_page->findChild<QLineEdit *>(u"hostAddress"_s);
        const QAction *pick = address->actions().value(0);
        QVERIFY(!pick->isVisible()); // nothing to choose from
        m_page->setKnownNames({lab().target, u"dgx-2"_s, u"lab-far"_s});
        QVERIFY(pick->isVisible());
        const auto offered = [address] {
            QStringList names;
            const QAbstractItemModel *model = address->completer()->completionModel();
            for (int row = 0; row < model->rowCount(); ++row) {
                names.append(model->index(row, 0).data().toString());
            }
            return names;
        };
        address->completer()->setCompletionPrefix({});
        QCOMPARE(offered(), (QStringList{u"dgx-2"_s, u"lab-far"_s}));
        m_page->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
        address->setFocus();
        QTest::keyClicks(address, u"FAR"_s); // in the middle, in any case
        QCOMPARE(offered(), QStringList{u"lab-far"_s});
        QTest::keyClick(address->completer()->popup(), Qt::Key_Down);
        QTest::keyClick(address->completer()->popup(), Qt::Key_Return);
        QCOMPARE(address->text(), u"lab-far"_s);
    }

    // A lost connection is no failed step, and is said all the same.
    void lostConnection()
    {
        HostInfo lost = lab();
        lost.error = u"host.cut"_s;
        lost.errorArgs = {};
        lost.steps = {{hoststep::agent, StepState::Passed, {}, {}, 1}};
        m_page->setHosts({local(), lost});
        m_page->choose(u"lab3"_s);
        const QList<QLabel *> labels = m_page->findChildren<QLabel *>();
        QVERIFY(std::any_of(labels.cbegin(), labels.cend(), [](const QLabel *label) {
            return label->isVisible() && label->text().contains(u"The connection to the host was lost."_s);
        }));
    }

    void whatCanBeDone()
    {
        QSignalSpy checks(m_page.get(), &HostsPage::checkRequested);
        QSignalSpy removals(m_page.get(), &HostsPage::removeRequested);
        QVERIFY(!button("hostRemove")->isVisible()); // not of this computer
        m_page->choose(u"lab3"_s);
        button("hostCheck")->click();
        // What the page is for is the first of its row, as everywhere.
        QTRY_VERIFY(button("hostCheck")->geometry().right() < button("hostRemove")->geometry().left());
        button("hostRemove")->click();
        QCOMPARE(checks.value(0).value(0).toString(), u"lab3"_s);
        QCOMPARE(removals.value(0).value(0).toString(), u"lab3"_s);
        button("hostCopy")->click();
        const QString report = QGuiApplication::clipboard()->text();
        QVERIFY2(report.contains(u"ssh -p 2222 mia@10.20.0.13"_s) && report.contains(u"Connection refused"_s)
                && report.contains(u"18 ms"_s),
            qPrintable(report));
        QCOMPARE(report.count(u"Connection refused"_s), 1);
        m_page->setHosts({local()});
        QCOMPARE(m_page->chosen(), u"local"_s);
    }

    // Labels and hours are typed, and what is typed outlives the news of the host.
    void fieldsAreNoLongerThanTheyNeedToBe()
    {
        m_page->resize(1800, 700);
        for (const char *name : {"hostLabels", "hostHours", "hostPeerAddress"}) {
            const auto *field = m_page->findChild<QLineEdit *>(QLatin1StringView(name));
            QTRY_COMPARE(field->width(), metrics::formMaximum);
        }
    }

    void versionsAreSortedAsNumbers()
    {
        api::HostEnvironments some;
        some.host = u"local"_s;
        some.environments = {{u"conda"_s, u"zoo"_s, u"/z"_s, u"3.11"_s, u"z"_s}};
        for (const QString &version : {u"2.7.18"_s, u"3.10.13"_s, u"3.13.0"_s, u"3.6.15"_s, u"3.9.18"_s}) {
            some.environments.append({u"pyenv"_s, version, u"/p"_s, version, version});
        }
        m_page->setEnvironments(some);
        QStringList names;
        for (const QPushButton *copy : m_page->findChild<EnvironmentsView *>()->findChildren<QPushButton *>()) {
            names.append(copy->objectName().mid(5));
        }
        QCOMPARE(names, (QStringList{u"zoo"_s, u"2.7.18"_s, u"3.6.15"_s, u"3.9.18"_s, u"3.10.13"_s, u"3.13.0"_s}));
    }

    void useOfTheChosen()
    {
        QSignalSpy changes(m_page.get(), &HostsPage::changeRequested);
        const auto change = [&changes] { return changes.takeLast().at(0).value<api::HostChange>(); };
        auto *labels = m_page->findChild<QLineEdit *>(u"hostLabels"_s);
        auto *hours = m_page->findChild<QLineEdit *>(u"hostHours"_s);
        HostInfo host = lab();
        host.labels = {u"a100"_s, u"old"_s};
        host.hours = u"Mon-Fri 09:00-17:00"_s;
        m_page->setHosts({local(), host});
        m_page->choose(u"lab3"_s);
        QCOMPARE(labels->text(), u"a100 old"_s);
        QCOMPARE(hours->text(), host.hours);
        labels->clear();
        QTest::keyClicks(labels, u"a100, new  fast"_s);
        m_page->setHosts({local(), host});
        QCOMPARE(labels->text(), u"a100, new  fast"_s);
        QTest::keyClick(labels, Qt::Key_Return);
        QCOMPARE(changes.size(), 1);
        api::HostChange asked = change();
        QCOMPARE(asked.id, u"lab3"_s);
        QCOMPARE(asked.addLabels, (QStringList{u"new"_s, u"fast"_s}));
        QCOMPARE(asked.removeLabels, QStringList{u"old"_s});
        QVERIFY(!asked.drained && !asked.hours);
        host.labels = {u"a100"_s, u"fast"_s, u"new"_s};
        m_page->setHosts({local(), host});
        QCOMPARE(labels->text(), u"a100 fast new"_s);
        QTest::keyClick(labels, Qt::Key_Return);
        QVERIFY(changes.isEmpty()); // nothing is another thing
        hours->clear();
        QTest::keyClicks(hours, u"at night"_s);
        QTest::keyClick(hours, Qt::Key_Return);
        QCOMPARE(change().hours, std::optional(u"at night"_s));
        m_page->setHosts({local(), host}); // news meanwhile
        m_page->setUseError(u"lab3"_s, u"<b>No</b>"_s);
        QCOMPARE(hours->text(), u"at night"_s); // to be corrected
        const auto *error = m_page->findChild<QLabel *>(u"hostUseError"_s);
        QVERIFY(error->isVisible() && error->text() == u"<b>No</b>"_s && error->textFormat() == Qt::PlainText);
        auto *address = m_page->findChild<QLineEdit *>(u"hostPeerAddress"_s);
        host.addresses = {{u"ib0"_s, u"10.9.0.3"_s, 24}};
        m_page->setHosts({local(), host});
        QVERIFY2(address->placeholderText().contains(u"10.9.0.3 (ib0)"_s), qPrintable(address->placeholderText()));
        QTest::keyClicks(address, u"ib1"_s);
        QTest::keyClick(address, Qt::Key_Return);
        asked = change();
        QCOMPARE(asked.address, std::optional(u"ib1"_s));
        QVERIFY(!asked.hours);
        m_page->setHosts({local(), host});
        m_page->setUseError(u"lab3"_s, u"There is none."_s);
        QCOMPARE(address->text(), u"ib1"_s);
        m_page->choose(u"local"_s);
        QVERIFY(!error->isVisible() && hours->text().isEmpty() && address->text().isEmpty());
    }

    void drainAndQuarantine()
    {
        QSignalSpy changes(m_page.get(), &HostsPage::changeRequested);
        QSignalSpy releases(m_page.get(), &HostsPage::releaseRequested);
        button("hostDrain")->click();
        QCOMPARE(changes.size(), 1);
        const auto drain = changes.at(0).at(0).value<api::HostChange>();
        QCOMPARE(drain.id, u"local"_s);
        QCOMPARE(drain.drained, std::optional(true));
        HostInfo host = local();
        host.drained = true;
        host.tasks = 1;
        host.quarantines = {{u"b"_s, 1, u"gpu-lost"_s, 5, {{44, u"main/0"_s, 3}}}};
        host.gpus[1].jobId = 0;
        host.gpus[1].kept = u"quarantine"_s;
        m_page->setHosts({host, lab()});
        const auto shows = [this](const QString &text) {
            const QList<QLabel *> labels = m_page->findChildren<QLabel *>();
            return std::any_of(labels.cbegin(), labels.cend(),
                [&text](const QLabel *label) { return label->isVisible() && label->text().contains(text); });
        };
        QVERIFY(shows(u"online, draining"_s));
        QTRY_VERIFY(shows(u"#44 main/0"_s)); // what is added to a page that is seen is shown in the next turn
        QVERIFY(m_page->findChild<GpuTable *>()->lines().at(2).endsWith(u"in quarantine"_s));
        button("hostRelease")->click();
        QCOMPARE(releases.size(), 1);
        QCOMPARE(releases.at(0), (QList<QVariant>{u"local"_s, 1}));
        button("hostDrain")->click();
        QCOMPARE(changes.at(1).at(0).value<api::HostChange>().drained, std::optional(false));
        m_page->setHosts({local(), lab()});
        QVERIFY(!button("hostRelease"));
        QVERIFY(!shows(u"draining"_s));
    }

    void adding()
    {
        QSignalSpy added(m_page.get(), &HostsPage::addRequested);
        auto *address = m_page->findChild<QLineEdit *>(u"hostAddress"_s);
        QTest::keyClicks(address, u" ada@lab9 "_s);
        QTest::keyClick(address, Qt::Key_Return);
        QCOMPARE(added.value(0).value(0).toString(), u"ada@lab9"_s);
        QVERIFY(!address->isEnabled());
        QCOMPARE(added.value(0).value(1).toBool(), false);
        m_page->setAddError(u"No."_s);
        auto *anyway = m_page->findChild<QPushButton *>(u"hostAddAnyway"_s);
        QVERIFY(anyway && !anyway->isVisibleTo(m_page.get()) && !anyway->isDefault() && !anyway->autoDefault());
        m_page->setAddError(u"Nobody knows it."_s, true);
        QVERIFY(anyway->isVisibleTo(m_page.get()));
        anyway->click();
        QCOMPARE(added.value(1).value(0).toString(), u"ada@lab9"_s);
        QCOMPARE(added.value(1).value(1).toBool(), true);
        m_page->setAddError(u"No."_s);
        QVERIFY(!anyway->isVisibleTo(m_page.get()));
        QVERIFY(address->isEnabled());
        QCOMPARE(address->text(), u" ada@lab9 "_s); // to be corrected
        m_page->setAddError({});
        QCOMPARE(address->text(), QString());
    }

    // The configuration of ssh may have been written meanwhile.
    void namesAreWantedAgain()
    {
        QSignalSpy wanted(m_page.get(), &HostsPage::namesWanted);
        m_page->hide();
        QCOMPARE(wanted.size(), 0);
        m_page->show();
        QCOMPARE(wanted.size(), 1);
    }

    // Also of a host without a GPU.
    void jobsOfAHost()
    {
        auto *jobs = m_page->findChild<QLabel *>(u"hostJobs"_s);
        QVERIFY(jobs && jobs->isVisible());
        QCOMPARE(jobs->accessibleName(), u"#44 cifar10 (2 tasks), #45 bert<b> (1 task)"_s);
        QVERIFY2(jobs->text().contains(u"bert&lt;b&gt;"_s), qPrintable(jobs->text()));
        QVERIFY(hostReport(local()).contains(u"Jobs there: #44 cifar10 (2 tasks), #45"_s));
        QSignalSpy opened(m_page.get(), &HostsPage::jobRequested);
        Q_EMIT jobs->linkActivated(u"job:45"_s);
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened.at(0).at(0).toLongLong(), 45);
        HostInfo idle = local();
        idle.jobs.clear();
        m_page->setHosts({idle, lab()});
        QVERIFY(!jobs->isVisible());
        m_page->setHosts({local(), lab()});
    }

    void gpusAndTheirHolders()
    {
        auto *table = m_page->findChild<GpuTable *>();
        QCOMPARE(table->gpuCount(), 3);
        const QStringList lines = table->lines();
        QCOMPARE(lines.at(0), u"This computer"_s);
        QCOMPARE(lines.at(1), u"0, 3 %, 1.0 of 80 GiB, 41 °C, free"_s);
        QVERIFY2(lines.at(2).endsWith(u"#44 cifar10 worker/0"_s), qPrintable(lines.at(2)));
        QVERIFY2(lines.at(3).endsWith(u"python <b>x</b> (jun), pid 20931; pid 7"_s), qPrintable(lines.at(3)));
        QTRY_VERIFY(table->height() >= table->sizeHint().height() && table->width() > 500);
        QSignalSpy jobs(table, &GpuTable::jobRequested);
        for (int y = 2; y < table->height(); y += 4) {
            QTest::mouseClick(table, Qt::LeftButton, {}, QPoint(500, y));
            QTest::mouseClick(table, Qt::LeftButton, {}, QPoint(100, y));
        }
        QVERIFY(!jobs.isEmpty());
        QVERIFY(std::all_of(jobs.cbegin(), jobs.cend(), [](const QList<QVariant> &one) { return one.at(0) == 44; }));
        table->setWhich(GpuTable::Which::Free);
        QCOMPARE(table->gpuCount(), 1);
        table->setWhich(GpuTable::Which::Foreign);
        QCOMPARE(table->gpuCount(), 1);
        m_page->setHosts({lab()});
        QCOMPARE(table->gpuCount(), 0);
    }

    // Both are asked for when the chosen host is there to answer; what comes late for another one is dropped.
    void hourAndEnvironments()
    {
        m_page = std::make_unique<HostsPage>();
        QSignalSpy hour(m_page.get(), &HostsPage::hourWanted),
            environments(m_page.get(), &HostsPage::environmentsWanted);
        m_page->resize(1100, 700);
        m_page->setHosts({local(), lab()});
        m_page->show();
        QVERIFY(hour.size() == 1 && environments.size() == 1);
        QCOMPARE(hour.first().constFirst().toString(), u"local"_s);
        auto *hourView = m_page->findChild<HostHourView *>();
        auto *found = m_page->findChild<EnvironmentsView *>();
        QVERIFY(!hourView->isVisible() && !found->isVisible());
        api::HostHistory history;
        history.host = u"local"_s;
        history.cpu = {-1, -1, 20, 40};
        history.memory = {-1, -1, -1, -1};
        history.gpus = {{u"b"_s, {-1, 1, 2, 3}}, {u"a"_s, {100, 0, -1, -1}}};
        m_page->setHour(history);
        QVERIFY(hourView->isVisible());
        QCOMPARE(hourView->lines().at(0), u"Processor: 30 % on average, 40 % in the busiest minute"_s);
        QCOMPARE(hourView->lines().at(1), u"GPU 0: 50 % on average, 100 % in the busiest minute"_s);
        for (const Sparkline *curve : hourView->findChildren<Sparkline *>()) { // the free room is theirs
            QTRY_VERIFY2(curve->width() > 2 * metrics::sparkWidth, qPrintable(QString::number(curve->width())));
        }
        api::HostEnvironments some;
        some.host = u"local"_s;
        some.environments = {{u"conda"_s, u"<b>torch"_s, u"/c"_s, u"3.11.4"_s, u"source /c/bin/activate /c"_s}};
        some.modules = QStringList(30, u"cuda/12.4"_s);
        m_page->setEnvironments(some);
        QVERIFY(found->isVisible());
        QCOMPARE(found->findChildren<QPushButton *>().size(), 12);
        QTest::mouseClick(button("copy-<b>torch"), Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text(), u"source /c/bin/activate /c"_s);
        QTest::mouseClick(button("copy-cuda/12.4"), Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text(), u"module load cuda/12.4"_s);

        m_page->choose(u"lab3"_s); // away: nothing is asked, nothing of the other one stays
        QVERIFY(!hourView->isVisible() && !found->isVisible());
        m_page->setHour(history);
        m_page->setEnvironments(some);
        QVERIFY(!hourView->isVisible() && !found->isVisible());
        QVERIFY(hour.size() == 1 && environments.size() == 1);
        m_page->choose(u"local"_s);
        QVERIFY(hour.size() == 2 && environments.size() == 2);
    }

private:
    std::unique_ptr<HostsPage> m_page;
};
TRAINYARD_GUI_TEST(TstHostsPage)
#include "tst_hostspage.moc"
