<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US" sourcelanguage="en">
<context>
    <name>trainyard::FindBar</name>
    <message numerus="yes">
        <source>%n hit(s)</source>
        <translation><numerusform>%n hit</numerusform><numerusform>%n hits</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n replaced</source>
        <translation><numerusform>%n replaced</numerusform><numerusform>%n replaced</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::JobMore</name>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation><numerusform>%n problem</numerusform><numerusform>%n problems</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n data set(s)</source>
        <translation><numerusform>%n data set</numerusform><numerusform>%n data sets</numerusform></translation>
    </message>
</context>
<context>
    <name>GroupCells</name>
    <message numerus="yes">
        <source>%n value(s)</source>
        <translation><numerusform>%n value</numerusform><numerusform>%n values</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <translation><numerusform>%n failed</numerusform><numerusform>%n failed</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n succeeded</source>
        <translation><numerusform>%n succeeded</numerusform><numerusform>%n succeeded</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n stopped</source>
        <translation><numerusform>%n stopped</numerusform><numerusform>%n stopped</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::SettingsPage</name>
    <message numerus="yes">
        <source>%n setting(s)</source>
        <translation><numerusform>%n setting</numerusform><numerusform>%n settings</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::ConfigurationBar</name>
    <message numerus="yes">
        <source>%n more mistake(s).</source>
        <translation><numerusform>%n more mistake.</numerusform><numerusform>%n more mistakes.</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::HostRowDelegate</name>
    <message numerus="yes">
        <source>%n core(s)</source>
        <translation><numerusform>%n core</numerusform><numerusform>%n cores</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::HostsPane</name>
    <message numerus="yes">
        <source>%n core(s), %1 memory</source>
        <translation><numerusform>%n core, %1 memory</numerusform><numerusform>%n cores, %1 memory</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::LogFindRow</name>
    <message numerus="yes">
        <source>With %n line(s) before and after</source>
        <translation><numerusform>With %n line before and after</numerusform><numerusform>With %n lines before and after</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::NewLinesPill</name>
    <message numerus="yes">
        <source>%Ln new line(s)</source>
        <translation><numerusform>%Ln new line</numerusform><numerusform>%Ln new lines</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::RunController</name>
    <message numerus="yes">
        <source>Run starts a new job. %n task(s) of %1 succeeded; to keep their results, retry only the others.</source>
        <translation><numerusform>Run starts a new job. %n task of %1 succeeded; to keep its result, retry only the others.</numerusform><numerusform>Run starts a new job. %n tasks of %1 succeeded; to keep their results, retry only the others.</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::BarOffers</name>
    <message numerus="yes">
        <source>%n more after this.</source>
        <translation><numerusform>%n more after this.</numerusform><numerusform>%n more after this.</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::ExchangeController</name>
    <message numerus="yes">
        <source>%n more to fetch.</source>
        <translation><numerusform>%n more to fetch.</numerusform><numerusform>%n more to fetch.</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::SessionController</name>
    <message numerus="yes">
        <source>%n job(s) will keep running after you close this window.</source>
        <translation><numerusform>%n job will keep running after you close this window.</numerusform><numerusform>%n jobs will keep running after you close this window.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n job(s) will start without this window, as soon as there is room.</source>
        <translation><numerusform>%n job will start without this window, as soon as there is room.</numerusform><numerusform>%n jobs will start without this window, as soon as there is room.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n job(s) will be tried again without this window, after a pause.</source>
        <translation><numerusform>%n job will be tried again without this window, after a pause.</numerusform><numerusform>%n jobs will be tried again without this window, after a pause.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n job(s) that failed will be tried again after a pause.</source>
        <translation><numerusform>%n job that failed will be tried again after a pause.</numerusform><numerusform>%n jobs that failed will be tried again after a pause.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n job(s) that wait(s) will start as soon as there is room.</source>
        <translation><numerusform>%n job that waits will start as soon as there is room.</numerusform><numerusform>%n jobs that wait will start as soon as there is room.</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::LogPane</name>
    <message numerus="yes">
        <source>%Ln hit(s)</source>
        <translation><numerusform>%Ln hit</numerusform><numerusform>%Ln hits</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1: %Ln line(s), %2</source>
        <translation><numerusform>%1: %Ln line, %2</numerusform><numerusform>%1: %Ln lines, %2</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::TaskLog</name>
    <message numerus="yes">
        <source>%n task(s) together</source>
        <translation><numerusform>%n task together</numerusform><numerusform>%n tasks together</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::TaskLogMenus</name>
    <message numerus="yes">
        <source>%n more in the list</source>
        <translation><numerusform>%n more in the list</numerusform><numerusform>%n more in the list</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::SecretsDialog</name>
    <message numerus="yes">
        <source>This job needs %n secret(s)</source>
        <translation><numerusform>This job needs %n secret</numerusform><numerusform>This job needs %n secrets</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::StatusLine</name>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation><numerusform>%n error</numerusform><numerusform>%n errors</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation><numerusform>%n warning</numerusform><numerusform>%n warnings</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>Engine running, %n job(s)</source>
        <translation><numerusform>Engine running, %n job</numerusform><numerusform>Engine running, %n jobs</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::TasksModel</name>
    <message numerus="yes">
        <source>Retried %n time(s) in this attempt</source>
        <translation><numerusform>Retried %n time in this attempt</numerusform><numerusform>Retried %n times in this attempt</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::WelcomePage</name>
    <message numerus="yes">
        <source>%n core(s), %1 memory</source>
        <translation><numerusform>%n core, %1 memory</numerusform><numerusform>%n cores, %1 memory</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::YamlEditor</name>
    <message numerus="yes">
        <source>%n line(s)</source>
        <translation><numerusform>%n line</numerusform><numerusform>%n lines</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::DiffView</name>
    <message numerus="yes">
        <source>%n equal line(s)</source>
        <translation><numerusform>%n equal line</numerusform><numerusform>%n equal lines</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::GalleryPage</name>
    <message numerus="yes">
        <source>%n more file(s) cannot be used.</source>
        <translation><numerusform>%n more file cannot be used.</numerusform><numerusform>%n more files cannot be used.</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::ProblemsView</name>
    <message numerus="yes">
        <source>%n more below</source>
        <translation><numerusform>%n more below</numerusform><numerusform>%n more below</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::PreviewPage</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation><numerusform>and %n more</numerusform><numerusform>and %n more</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::ScriptSheet</name>
    <message numerus="yes">
        <source>%n line(s)</source>
        <translation><numerusform>%n line</numerusform><numerusform>%n lines</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::RunBars</name>
    <message numerus="yes">
        <source>%n task(s) failed. The job succeeded all the same, because its completion policy allows that. Choose a failed task to read its log.</source>
        <translation><numerusform>%n task failed. The job succeeded all the same, because its completion policy allows that. Choose the failed task to read its log.</numerusform><numerusform>%n tasks failed. The job succeeded all the same, because its completion policy allows that. Choose a failed task to read its log.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>&lt;b&gt;%1&lt;/b&gt; failed with exit status %2 and is kept for inspection for %n more minute(s).</source>
        <translation><numerusform>&lt;b&gt;%1&lt;/b&gt; failed with exit status %2 and is kept for inspection for %n more minute.</numerusform><numerusform>&lt;b&gt;%1&lt;/b&gt; failed with exit status %2 and is kept for inspection for %n more minutes.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n more task(s) are kept, too.</source>
        <translation><numerusform>%n more task is kept, too.</numerusform><numerusform>%n more tasks are kept, too.</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::TaskActions</name>
    <message numerus="yes">
        <source>Retry %n chosen task(s)</source>
        <translation><numerusform>Retry this task</numerusform><numerusform>Retry the %n chosen tasks</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>Open %n log(s) in the editor</source>
        <translation><numerusform>Open %n log in the editor</numerusform><numerusform>Open %n logs in the editor</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>Copy %n task(s) as a table</source>
        <translation><numerusform>Copy %n task as a table</numerusform><numerusform>Copy %n tasks as a table</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::DocumentationPage</name>
    <message numerus="yes">
        <source>%n hit(s)</source>
        <translation><numerusform>%n hit</numerusform><numerusform>%n hits</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::JobsModel</name>
    <message numerus="yes">
        <source>%1, %n job(s), %2</source>
        <translation><numerusform>%1, %n job, %2</numerusform><numerusform>%1, %n jobs, %2</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1, %n job(s) from #%2 on</source>
        <translation><numerusform>%1, %n job, #%2</numerusform><numerusform>%1, %n jobs from #%2 on</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::AllJobsTab</name>
    <message numerus="yes">
        <source>%n job(s) are in %1.</source>
        <translation><numerusform>%n job is in %1.</numerusform><numerusform>%n jobs are in %1.</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::DocumentTab</name>
    <message numerus="yes">
        <source>%n more document(s) have changes to save; each is asked about in turn.</source>
        <translation><numerusform>%n more document has changes to save; you are asked about it next.</numerusform><numerusform>%n more documents have changes to save; you are asked about each in turn.</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::EnvironmentView</name>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation><numerusform>%n file</numerusform><numerusform>%n files</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::CompareCurves</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation><numerusform>%1 and %n more</numerusform><numerusform>%1 and %n more</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::CompareModel</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation><numerusform>%1 and %n more</numerusform><numerusform>%1 and %n more</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::CompareTablePane</name>
    <message numerus="yes">
        <source>%n setting(s)</source>
        <translation><numerusform>%n setting</numerusform><numerusform>%n settings</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation><numerusform>%n more</numerusform><numerusform>%n more</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::CommandsField</name>
    <message numerus="yes">
        <source>%n more line(s)</source>
        <translation><numerusform>%n more line</numerusform><numerusform>%n more lines</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::ComparePage</name>
    <message numerus="yes">
        <source>At most %n runs are drawn at a time.</source>
        <translation><numerusform>At most %n run is drawn at a time.</numerusform><numerusform>At most %n runs are drawn at a time.</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::CompareTab</name>
    <message numerus="yes">
        <source>%n run(s) compared</source>
        <translation><numerusform>%n run compared</numerusform><numerusform>%n runs compared</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation><numerusform>%n run</numerusform><numerusform>%n runs</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::RunComparisons</name>
    <message numerus="yes">
        <source>Stop %n run(s)?</source>
        <translation><numerusform>Stop %n run?</numerusform><numerusform>Stop %n runs?</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>All %n active run(s) that are not ticked in the table are stopped: %1.</source>
        <translation><numerusform>The %n active run that is not ticked in the table is stopped: %1.</numerusform><numerusform>All %n active runs that are not ticked in the table are stopped: %1.</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::ChooseJobs</name>
    <message numerus="yes">
        <source>Compare %n</source>
        <translation><numerusform>Compare %n</numerusform><numerusform>Compare %n</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::SeedsDialog</name>
    <message numerus="yes">
        <source>%n job(s) are submitted.</source>
        <translation><numerusform>%n job is submitted.</numerusform><numerusform>%n jobs are submitted.</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::CurveChooser</name>
    <message numerus="yes">
        <source>%n remark(s) about files</source>
        <translation><numerusform>%n remark about files</numerusform><numerusform>%n remarks about files</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::ForeignPage</name>
    <message numerus="yes">
        <source>%n more such place(s).</source>
        <translation><numerusform>%n more such place.</numerusform><numerusform>%n more such places.</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::ForeignController</name>
    <message numerus="yes">
        <source>%n runs were removed from the list. Their files stay as they are.</source>
        <translation><numerusform>%n run was removed from the list. Its files stay as they are.</numerusform><numerusform>%n runs were removed from the list. Their files stay as they are.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) of %1 are in the list of jobs.</source>
        <translation><numerusform>%n run of %1 is in the list of jobs.</numerusform><numerusform>%n runs of %1 are in the list of jobs.</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::JobLabelController</name>
    <message numerus="yes">
        <source>%n job(s) archived.</source>
        <translation><numerusform>%n job archived.</numerusform><numerusform>%n jobs archived.</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::Changes</name>
    <message numerus="yes">
        <source>Use %n GPU(s) for each task of %1</source>
        <translation><numerusform>Use %n GPU for each task of %1</numerusform><numerusform>Use %n GPUs for each task of %1</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::RoleCard</name>
    <message numerus="yes">
        <source>%n other key(s)</source>
        <translation><numerusform>%n other key</numerusform><numerusform>%n other keys</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::PrerequisitesPanel</name>
    <message numerus="yes">
        <source>%n own key(s)</source>
        <translation><numerusform>%n own key</numerusform><numerusform>%n own keys</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::HostsFields</name>
    <message numerus="yes">
        <source>%n GPU(s)</source>
        <translation><numerusform>%n GPU</numerusform><numerusform>%n GPUs</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::CurvePanel</name>
    <message numerus="yes">
        <source>mean of %n task(s)</source>
        <translation><numerusform>mean of %n task</numerusform><numerusform>mean of %n tasks</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::SweepDialog</name>
    <message numerus="yes">
        <source>The hosts have CPU cores for %n of them; more share the cores, and each takes longer.</source>
        <translation><numerusform>The hosts have CPU cores for %n of them; more share the cores, and each takes longer.</numerusform><numerusform>The hosts have CPU cores for %n of them; more share the cores, and each takes longer.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>The hosts have GPUs and memory for %n of them at a time; the others wait.</source>
        <translation><numerusform>The hosts have GPUs and memory for %n of them at a time; the others wait.</numerusform><numerusform>The hosts have GPUs and memory for %n of them at a time; the others wait.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>The hosts have memory for %n of them at a time; the others wait.</source>
        <translation><numerusform>The hosts have memory for %n of them at a time; the others wait.</numerusform><numerusform>The hosts have memory for %n of them at a time; the others wait.</numerusform></translation>
    </message>
</context>
<context>
    <name>AskBox</name>
    <message numerus="yes">
        <source>Retry %n job(s)?</source>
        <translation><numerusform>Retry %n job?</numerusform><numerusform>Retry %n jobs?</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n of these jobs succeeded.</source>
        <translation><numerusform>%n of these jobs succeeded.</numerusform><numerusform>%n of these jobs succeeded.</numerusform></translation>
    </message>
</context>
</TS>
